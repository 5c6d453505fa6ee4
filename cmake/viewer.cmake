# The viewer: stage and page always, the server where libwebsockets is there. The page's bundle is
# committed (viewer/bundle, made by `make page`) and becomes a C table here.
file(GLOB viewer_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/viewer/*.c)
set(viewer_server ${PROJECT_SOURCE_DIR}/viewer/server.c ${PROJECT_SOURCE_DIR}/viewer/relay.c)
list(REMOVE_ITEM viewer_sources ${viewer_server})

if(TRAMMEL_VIEWER)
  find_path(TRAMMEL_LWS_INCLUDE libwebsockets.h)
  find_library(TRAMMEL_LWS_LIBRARY websockets)
  if(NOT TRAMMEL_LWS_INCLUDE OR NOT TRAMMEL_LWS_LIBRARY)
    message(STATUS "libwebsockets is not installed: trammel view will say so")
  endif()
endif()

set(viewer_page index.html view.js view.css LICENSES.txt)
list(TRANSFORM viewer_page PREPEND ${PROJECT_SOURCE_DIR}/viewer/bundle/ OUTPUT_VARIABLE viewer_page_files)
add_custom_command(OUTPUT ${PROJECT_BINARY_DIR}/page_table.c
  COMMAND trammel_embed ${PROJECT_BINARY_DIR}/page_table.c viewer/page.h page_file page_files ${PROJECT_SOURCE_DIR}/viewer/bundle ${viewer_page}
  DEPENDS trammel_embed ${viewer_page_files} COMMENT "the page as a C table" VERBATIM)

add_library(trammel_viewer STATIC ${viewer_sources} ${PROJECT_BINARY_DIR}/page_table.c)
target_include_directories(trammel_viewer PUBLIC ${PROJECT_SOURCE_DIR})
target_link_libraries(trammel_viewer PUBLIC trammel_static PRIVATE trammel_flags)
if(TRAMMEL_VIEWER AND TRAMMEL_LWS_INCLUDE AND TRAMMEL_LWS_LIBRARY)
  target_sources(trammel_viewer PRIVATE ${viewer_server})
  target_include_directories(trammel_viewer SYSTEM PRIVATE ${TRAMMEL_LWS_INCLUDE})
  target_link_libraries(trammel_viewer PUBLIC ${TRAMMEL_LWS_LIBRARY})
  target_compile_definitions(trammel_viewer PUBLIC TRAMMEL_VIEWER=1)
endif()
