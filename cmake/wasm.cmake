# The same sources for WebAssembly (`make wasm`, docs/wasm.md): 128-bit vectors, which every engine has since 2021.
add_compile_options(-msimd128 -Wno-unused-command-line-argument)
if(EMSCRIPTEN_VERSION VERSION_LESS 3.1.27)
  set(stack TOTAL_STACK)
else()
  set(stack STACK_SIZE)
endif()
add_link_options(-s${stack}=4MB -sALLOW_MEMORY_GROWTH=1 -sMAXIMUM_MEMORY=4GB)

# A program that Node runs while building and testing: it sees the files of the machine, and does not fetch itself
# (Node has fetch, but none for files).
function(trammel_node_program target)
  target_link_options(${target} PRIVATE -sENVIRONMENT=node -sNODERAWFS=1 -sEXIT_RUNTIME=1 -sWASM_ASYNC_COMPILATION=0)
endfunction()

# A module that a page, a Worker or Node imports: NAME.mjs beside NAME.wasm. Node gives it the bytes itself: what
# emscripten writes for Node does not run as an ES module in every version.
function(trammel_wasm_module target name)
  set_target_properties(${target} PROPERTIES OUTPUT_NAME ${name} SUFFIX .mjs)
  target_link_libraries(${target} PRIVATE trammel_static trammel_dependencies trammel_flags)
  target_link_options(${target} PRIVATE -O2 -sMODULARIZE=1 -sEXPORT_ES6=1 -sUSE_ES6_IMPORT_META=1 -sENVIRONMENT=web,worker
    -sFORCE_FILESYSTEM=1 -sWASM_BIGINT=1 -sALLOW_TABLE_GROWTH=1 -sFILESYSTEM=1 --no-entry
    -sEXPORTED_RUNTIME_METHODS=FS,UTF8ToString,stringToUTF8,lengthBytesUTF8,stackSave,stackRestore,stackAlloc,addFunction,removeFunction)
endfunction()
