# What `cmake --install` puts where: headers, both libraries, the tool, and the two ways for other
# projects to find them. The result may be moved: nothing in it names an absolute path.

# the installed names work inside a larger build too, which installs nothing of ours unless asked
add_library(trammel::trammel ALIAS trammel)
add_library(trammel::trammel_static ALIAS trammel_static)
option(TRAMMEL_INSTALL "make install rules" ${TRAMMEL_IS_TOP})
if(NOT TRAMMEL_INSTALL)
  return()
endif()

include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

# the Python package is its sources, the shared library under one name, and scenes (pyproject.toml)
if(TRAMMEL_PYTHON)
  find_package(Python3 REQUIRED COMPONENTS Interpreter)
  set(declarations ${PROJECT_BINARY_DIR}/generated/_declarations.py)
  file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/generated)
  execute_process(COMMAND ${Python3_EXECUTABLE} ${PROJECT_SOURCE_DIR}/tools/python_declarations ${declarations}
    COMMAND_ERROR_IS_FATAL ANY)
  install(FILES ${declarations} DESTINATION trammel COMPONENT python)
  install(FILES $<TARGET_FILE:trammel> DESTINATION trammel RENAME libtrammel${CMAKE_SHARED_LIBRARY_SUFFIX} COMPONENT python)
  # it finds the library by its name, which the package has loaded by then
  install(FILES $<TARGET_FILE:trammel_page> DESTINATION trammel RENAME libtrammel_page.so COMPONENT python)
  install(FILES ${PROJECT_SOURCE_DIR}/viewer/bundle/view.js ${PROJECT_SOURCE_DIR}/viewer/bundle/view.css
    ${PROJECT_SOURCE_DIR}/viewer/bundle/LICENSES.txt DESTINATION trammel/data COMPONENT python)
  install(FILES ${PROJECT_SOURCE_DIR}/scenes/data/half-cheetah.json ${PROJECT_SOURCE_DIR}/scenes/data/atlas.json
    DESTINATION trammel/data COMPONENT python)
endif()

set(TRAMMEL_PACKAGE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/trammel)

install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/trammel DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
  FILES_MATCHING PATTERN "*.h")
install(TARGETS trammel EXPORT trammelTargets LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(TARGETS trammel_static ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
if(TARGET trammel_tool)
  install(TARGETS trammel_tool RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
  install(TARGETS trammel_fmu LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/trammel)
  if(TARGET trammel_mpi)
    install(TARGETS trammel_mpi LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/trammel)
  endif()
endif()
# man pages are what --help prints; the pages to read, the examples and their scenes
if(TARGET trammel_tool AND NOT CMAKE_CROSSCOMPILING)
  set(TRAMMEL_MAN ${PROJECT_BINARY_DIR}/man)
  install(CODE "execute_process(COMMAND ${PROJECT_SOURCE_DIR}/tools/make_man $<TARGET_FILE:trammel_tool> ${TRAMMEL_MAN}
    RESULT_VARIABLE result)
    if(NOT result EQUAL 0)
      message(FATAL_ERROR \"tools/make_man left with \${result}\")
    endif()")
  install(DIRECTORY ${TRAMMEL_MAN}/ DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 FILES_MATCHING PATTERN "*.1"
    PATTERN "scenes" EXCLUDE)
  install(DIRECTORY ${TRAMMEL_MAN}/scenes/ DESTINATION ${CMAKE_INSTALL_DOCDIR}/examples)
  install(FILES ${PROJECT_SOURCE_DIR}/tools/bash_completion DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions
    RENAME trammel)
endif()
install(DIRECTORY ${PROJECT_SOURCE_DIR}/examples/ DESTINATION ${CMAKE_INSTALL_DOCDIR}/examples)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/docs/ DESTINATION ${CMAKE_INSTALL_DOCDIR}
  PATTERN "site" EXCLUDE)
install(FILES ${PROJECT_SOURCE_DIR}/README.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
# under this name Debian looks for its own kind of changelog otherwise
install(FILES ${PROJECT_SOURCE_DIR}/CHANGELOG.md DESTINATION ${CMAKE_INSTALL_DOCDIR} RENAME NEWS.md)
install(EXPORT trammelTargets NAMESPACE trammel:: DESTINATION ${TRAMMEL_PACKAGE_DIR})

# the libraries that whoever links the static library must link too, by name
set(TRAMMEL_PRIVATE_LIBRARIES amd qhull_r)
if(TRAMMEL_KLU)
  set(TRAMMEL_PRIVATE_LIBRARIES klu amd suitesparseconfig qhull_r)
endif()
if(TRAMMEL_XML)
  list(APPEND TRAMMEL_PRIVATE_LIBRARIES expat)
endif()
if(TRAMMEL_HAS_NLOPT)
  list(APPEND TRAMMEL_PRIVATE_LIBRARIES nlopt)
endif()
list(APPEND TRAMMEL_PRIVATE_LIBRARIES z m ${CMAKE_DL_LIBS})

configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/trammelConfig.cmake.in
  ${PROJECT_BINARY_DIR}/trammelConfig.cmake
  INSTALL_DESTINATION ${TRAMMEL_PACKAGE_DIR}
  PATH_VARS CMAKE_INSTALL_LIBDIR CMAKE_INSTALL_INCLUDEDIR)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/trammelConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/trammelConfig.cmake ${PROJECT_BINARY_DIR}/trammelConfigVersion.cmake
  DESTINATION ${TRAMMEL_PACKAGE_DIR})

file(RELATIVE_PATH TRAMMEL_PC_TO_PREFIX /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
string(REGEX REPLACE "/$" "" TRAMMEL_PC_TO_PREFIX "${TRAMMEL_PC_TO_PREFIX}")
list(TRANSFORM TRAMMEL_PRIVATE_LIBRARIES PREPEND "-l" OUTPUT_VARIABLE TRAMMEL_PC_PRIVATE)
list(JOIN TRAMMEL_PC_PRIVATE " " TRAMMEL_PC_PRIVATE)
configure_file(${PROJECT_SOURCE_DIR}/cmake/trammel.pc.in ${PROJECT_BINARY_DIR}/trammel.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/trammel.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
