/* Stands before src/ where tests are compiled that two libraries share, with SIMD instructions and without:
 * what a test sees of base/simd.h must be what its library is made of. */
#error "this test sees base/simd.h: name it in WALKMESH_VECTOR_TESTS (CMakeLists.txt)"
