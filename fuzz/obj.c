// fuzz/obj.c - any bytes as an OBJ file: libFuzzer looks for those that crash.
#include "fuzz/mesh.h"

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    read_mesh(data, size, "fuzz.obj");
    return 0;
}
