// fuzz/tetrahedra.c - any bytes as a Gmsh file, and as both files of TetGen: libFuzzer looks for those
// that crash.
#include "io/tetrahedra.h"

#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    const char* bytes = (const char*)data;
    const named_text whole = {"a.msh", bytes, size};
    const named_text first = {"a.node", bytes, size / 2};
    const named_text second = {"a.ele", bytes + size / 2, size - size / 2};
    pool memory = {0};
    tetrahedra_data mesh;
    message why;
    (void)tml__tetrahedra_read_msh(whole, &memory, &mesh, &why);
    (void)tml__tetrahedra_read_tetgen(first, second, &memory, &mesh, &why);
    tml__pool_destroy(&memory);
    return 0;
}
