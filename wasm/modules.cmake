# What `make wasm` links: the library with its public interface (the npm package), and the playground's player, which
# is the library with the built-in scenes and the viewer's stage.
file(GLOB player_viewer CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/viewer/*.c)
list(FILTER player_viewer EXCLUDE REGEX "/(server|relay|guard|page)\\.c$")
add_executable(trammel_player ${PROJECT_SOURCE_DIR}/wasm/player.c ${player_viewer})
target_include_directories(trammel_player PRIVATE ${PROJECT_SOURCE_DIR})
target_link_libraries(trammel_player PRIVATE trammel_scenes)
trammel_wasm_module(trammel_player player)

find_package(Python3 REQUIRED COMPONENTS Interpreter)
set(module_declarations ${PROJECT_BINARY_DIR}/generated/wasm)
execute_process(COMMAND ${Python3_EXECUTABLE} ${PROJECT_SOURCE_DIR}/tools/wasm_declarations ${module_declarations}
  COMMAND_ERROR_IS_FATAL ANY)
add_executable(trammel_module ${module_declarations}/layout_check.c)
trammel_wasm_module(trammel_module trammel-core)
target_link_options(trammel_module PRIVATE -sEXPORTED_FUNCTIONS=@${module_declarations}/exports.txt)
