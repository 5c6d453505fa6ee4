# What the tool finds beside itself. First what goes into every unit of FMI: the whole library behind the
# standard's functions.
file(GLOB TRAMMEL_UNIT_SOURCES CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/fmi/*.c)
add_library(trammel_fmu MODULE ${TRAMMEL_UNIT_SOURCES})
target_include_directories(trammel_fmu PRIVATE ${PROJECT_SOURCE_DIR} ${PROJECT_SOURCE_DIR}/include)
target_link_libraries(trammel_fmu PRIVATE trammel_static trammel_dependencies trammel_flags m)
set_target_properties(trammel_fmu PROPERTIES C_VISIBILITY_PRESET hidden POSITION_INDEPENDENT_CODE ON)
# only the standard's names are seen from outside
target_link_options(trammel_fmu PRIVATE -Wl,--exclude-libs,ALL)
target_sources(trammel_tool PRIVATE ${PROJECT_SOURCE_DIR}/fmi/variables.c)
add_dependencies(trammel_tool trammel_fmu)

# the script of a sweep's page
add_custom_command(OUTPUT ${PROJECT_BINARY_DIR}/swept_table.c
  COMMAND trammel_embed ${PROJECT_BINARY_DIR}/swept_table.c app/swept_script.h swept_file swept_files ${PROJECT_SOURCE_DIR}/app swept_page.js
  DEPENDS trammel_embed ${PROJECT_SOURCE_DIR}/app/swept_page.js COMMENT "the page of sweeps as a C table" VERBATIM)
target_sources(trammel_tool PRIVATE ${PROJECT_BINARY_DIR}/swept_table.c)

# The module by which the tool joins other processes of an MPI job. The tool loads it when mpirun started
# it, and needs no MPI otherwise.
include(GNUInstallDirs)
file(RELATIVE_PATH TRAMMEL_MODULE_DIR /${CMAKE_INSTALL_BINDIR} /${CMAKE_INSTALL_LIBDIR}/trammel)
target_link_libraries(trammel_tool PRIVATE ${CMAKE_DL_LIBS})
set_source_files_properties(${PROJECT_SOURCE_DIR}/app/modules.c PROPERTIES
  COMPILE_DEFINITIONS "TRAMMEL_MODULE_DIR=\"${TRAMMEL_MODULE_DIR}\"")
if(TRAMMEL_MPI)
  find_package(MPI QUIET COMPONENTS C)
  if(MPI_C_FOUND)
    find_package(Threads REQUIRED)
    add_library(trammel_mpi MODULE ${PROJECT_SOURCE_DIR}/mpi/ranks.c)
    target_include_directories(trammel_mpi PRIVATE ${PROJECT_SOURCE_DIR} ${PROJECT_SOURCE_DIR}/include)
    target_link_libraries(trammel_mpi PRIVATE trammel_flags MPI::MPI_C Threads::Threads)
    set_target_properties(trammel_mpi PROPERTIES C_VISIBILITY_PRESET hidden)
    add_dependencies(trammel_tool trammel_mpi)
  else()
    message(STATUS "no MPI: 'trammel sweep' answers under mpirun that this build has none")
  endif()
endif()
