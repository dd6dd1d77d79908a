/* Stands before src/ where objects are compiled that two libraries share, with SIMD instructions and without:
 * what sees base/simd.h must be compiled for each. */
#error "this sees base/simd.h: if it is a test, name it in WALKMESH_VECTOR_TESTS (CMakeLists.txt)"
