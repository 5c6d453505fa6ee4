// fuzz/stl.c - any bytes as an STL file: libFuzzer looks for those that crash.
#include "geom/stl.h"

#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    pool memory = {0};
    triangle_soup soup;
    message why;
    if (tml__stl_read(&memory, (const char*)data, size, &soup, &why) == TML_OK) {
        double volume = 0.0;
        vec3 com;
        mat3 inertia;
        tml__soup_weigh(&soup, &volume, &com, &inertia);
    }
    tml__pool_destroy(&memory);
    return 0;
}
