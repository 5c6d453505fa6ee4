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
# where the target has AVX-512, gcc's vectoriser fuses in spite of both flags above; kernels that
# want these instructions name them in their own target attribute
check_c_compiler_flag(-mno-avx512f TRAMMEL_HAS_NO_AVX512)
if(TRAMMEL_HAS_NO_AVX512)
  target_compile_options(trammel_flags INTERFACE -mno-avx512f)
endif()
if(TRAMMEL_WERROR)
  target_compile_options(trammel_flags INTERFACE -Werror)
endif()
if(TRAMMEL_SANITIZE)
  target_compile_options(trammel_flags INTERFACE -fsanitize=${TRAMMEL_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  target_link_options(trammel_flags INTERFACE -fsanitize=${TRAMMEL_SANITIZE})
endif()
