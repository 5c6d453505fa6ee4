// fuzz/stl.c - any bytes as an STL file: libFuzzer looks for those that crash.
#include "fuzz/mesh.h"

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    read_mesh(data, size, "fuzz.stl");
    return 0;
}
