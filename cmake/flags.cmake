# Warnings of the style guide, and the flags that make every build give the same bits.
add_library(trammel_flags INTERFACE)
target_compile_options(trammel_flags INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wstrict-prototypes -Wmissing-prototypes -Wvla
  -Wundef -Wdouble-promotion -Wcast-qual -Wpointer-arith -Wformat=2 -Wswitch-enum
  -Wnull-dereference -fvisibility=hidden -ffp-contract=off)
include(CheckCCompilerFlag)
check_c_compiler_flag(-mno-fma TRAMMEL_HAS_NO_FMA)
if(TRAMMEL_HAS_NO_FMA)
  target_compile_options(trammel_flags INTERFACE -mno-fma)
endif()
if(TRAMMEL_WERROR)
  target_compile_options(trammel_flags INTERFACE -Werror)
endif()
if(TRAMMEL_SANITIZE)
  target_compile_options(trammel_flags INTERFACE -fsanitize=${TRAMMEL_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  target_link_options(trammel_flags INTERFACE -fsanitize=${TRAMMEL_SANITIZE})
endif()
