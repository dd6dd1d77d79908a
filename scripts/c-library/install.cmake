# The shared library, and the rules of `cmake --install`: libraries, public headers, package files for CMake and pkg-config.
include(CMakePackageConfigHelpers)
include(GNUInstallDirs)

# Versions 0.x have a new interface with each minor version.
if(PROJECT_VERSION_MAJOR EQUAL 0)
  set(WALKMESH_SOVERSION 0.${PROJECT_VERSION_MINOR})
  set(WALKMESH_COMPATIBILITY SameMinorVersion)
else()
  set(WALKMESH_SOVERSION ${PROJECT_VERSION_MAJOR})
  set(WALKMESH_COMPATIBILITY SameMajorVersion)
endif()

# ---- Headers: in build/include/walkmesh they include each other as <walkmesh/...>, so that no other folder's headers can be meant

set(WALKMESH_UMBRELLA ${CMAKE_CURRENT_SOURCE_DIR}/src/walkmesh.h)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${WALKMESH_UMBRELLA})
file(STRINGS ${WALKMESH_UMBRELLA} WALKMESH_PUBLIC_HEADERS REGEX "^#include \"")
list(TRANSFORM WALKMESH_PUBLIC_HEADERS REPLACE "^#include \"(.+)\"$" "\\1")
list(PREPEND WALKMESH_PUBLIC_HEADERS walkmesh.h)
set(WALKMESH_INCLUDE ${CMAKE_CURRENT_BINARY_DIR}/include)
list(TRANSFORM WALKMESH_PUBLIC_HEADERS PREPEND ${WALKMESH_INCLUDE}/walkmesh/ OUTPUT_VARIABLE WALKMESH_HEADERS_MADE)
list(TRANSFORM WALKMESH_PUBLIC_HEADERS PREPEND ${CMAKE_CURRENT_SOURCE_DIR}/src/ OUTPUT_VARIABLE WALKMESH_HEADERS_FROM)
add_custom_command(OUTPUT ${WALKMESH_HEADERS_MADE} DEPENDS ${WALKMESH_HEADERS_FROM} scripts/c-library/copy-headers.cmake VERBATIM
  COMMAND ${CMAKE_COMMAND} -D "HEADERS=${WALKMESH_PUBLIC_HEADERS}" -D FROM=${CMAKE_CURRENT_SOURCE_DIR}/src -D TO=${WALKMESH_INCLUDE}/walkmesh
    -P ${CMAKE_CURRENT_LIST_DIR}/copy-headers.cmake)
add_custom_target(walkmesh_public_headers ALL DEPENDS ${WALKMESH_HEADERS_MADE})

# ---- The shared library

set(WALKMESH_OBJECTS $<TARGET_OBJECTS:walkmesh>)
if(TARGET walkmesh_plain)
  list(APPEND WALKMESH_OBJECTS $<TARGET_OBJECTS:walkmesh_plain>)
endif()
add_library(walkmesh_shared SHARED ${WALKMESH_OBJECTS})
target_link_libraries(walkmesh_shared PRIVATE $<BUILD_INTERFACE:walkmesh_flags> m)
set_target_properties(walkmesh_shared PROPERTIES OUTPUT_NAME walkmesh LINKER_LANGUAGE C
  VERSION ${PROJECT_VERSION} SOVERSION ${WALKMESH_SOVERSION} EXPORT_NAME shared)
set_target_properties(walkmesh PROPERTIES EXPORT_NAME static)
foreach(library walkmesh walkmesh_shared)
  add_dependencies(${library} walkmesh_public_headers)
  target_include_directories(${library} INTERFACE $<BUILD_INTERFACE:${WALKMESH_INCLUDE}>)
endforeach()

# For projects that add this folder; install.cmake's package has the same three names.
add_library(walkmesh::static ALIAS walkmesh)
add_library(walkmesh::shared ALIAS walkmesh_shared)
if(BUILD_SHARED_LIBS)
  add_library(walkmesh::walkmesh ALIAS walkmesh_shared)
else()
  add_library(walkmesh::walkmesh ALIAS walkmesh)
endif()

# ---- Rules

set(WALKMESH_PACKAGE ${CMAKE_INSTALL_LIBDIR}/cmake/walkmesh)
install(TARGETS walkmesh walkmesh_shared EXPORT walkmesh-targets
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
  RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(EXPORT walkmesh-targets NAMESPACE walkmesh:: DESTINATION ${WALKMESH_PACKAGE})
install(DIRECTORY ${WALKMESH_INCLUDE}/walkmesh DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
configure_file(scripts/c-library/walkmesh-config.cmake.in walkmesh-config.cmake @ONLY)
write_basic_package_version_file(${CMAKE_CURRENT_BINARY_DIR}/walkmesh-config-version.cmake COMPATIBILITY ${WALKMESH_COMPATIBILITY})
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/walkmesh-config.cmake ${CMAKE_CURRENT_BINARY_DIR}/walkmesh-config-version.cmake
  DESTINATION ${WALKMESH_PACKAGE})
file(RELATIVE_PATH WALKMESH_PC_TO_PREFIX /prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig /prefix)
configure_file(scripts/c-library/walkmesh.pc.in walkmesh.pc @ONLY)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/walkmesh.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
