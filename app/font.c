// app/font.c - a small alphabet of strokes, for pictures without a font: the letters of ASCII.
#include "app/drawing.h"

#include <string.h>

// Pairs of hexadecimal digits x and y; a blank lifts the pen. Drawn for this program.
// clang-format off
static const char* const strokes[95] = {
    "", "3d36 3433", "2d2a 4d4a", "2c24 4c44 1959 1757", "5c4d2d1c1928485754432314 3e32",
    "5d13 1d2d2b1b1d 4353554543", "531b1c2d3d4c4b171423334457", "3d3a", "4d3b2926 263543",
    "2d3b4946 463523", "3c36 1b57 5b17", "3b35 1858", "343221", "1858", "3334", "135d",
    // 0 to 9
    "23151b2d4d5b554323", "1b3d33 1353", "1b2d4d5b591353", "1c2d4d5c594828 4857544323 2314",
    "434d1656", "5d1d1829495854432314", "5c4d2d1b15234354574929 2917", "1d5d23",
    "281a1c2d4d5c5a4828171423435457 5748", "142343555b4d2d1c192747 4759",
    "3334 393a", "343221 393a", "5b1855", "1a5a 1656", "1b5815", "1c2d4d5c5a3836 3433",
    "46362629 293a4a46 4655 5658595a4c2c0a06 0624 2454",
    // A to Z
    "133d53 2747", "131d4d5c594818 4857544313", "5c4d2d1b15234354", "131d3d5b553313", "5d1d1353 1848",
    "5d1d13 1848", "5c4d2d1b152343555838", "1d13 5d53 1858", "2d4d 3d33 2343", "5d55432314",
    "1d13 5d16 2853", "1d1353", "131d385d53", "131d535d", "23151b2d4d5b554323", "131d4d5c584717",
    "23151b2d4d5b554323 3652", "131d4d5c584717 3753", "5c4d2d1c1928485754432314", "1d5d 3d33",
    "1d152343555d", "1d335d", "0d133a536d", "1d53 5d13", "1d385d 3833", "1d5d1353",
    "4d2d2343", "1d53", "2d4d4323", "1a3d5a", "0262", "2d3b",
    // a to z
    "5a53 584a2a1815234355", "1d13 182a4a5855432315", "594a2a1815234354", "5d53 584a2a1815234355",
    "1757584a2a1815234354", "5d4d3b33 1a5a", "5a51402011 584a2a1815234355", "1d13 182a4a5853",
    "3a33 3c3d", "4a413020 4c4d", "1d13 4a16 2753", "2d243343", "0a03 091a2a3933 394a5a6963",
    "1a13 182a4a5853", "2a1815234355584a2a", "1a10 182a4a5855432315", "5a50 584a2a1815234355",
    "1a13 172a4a", "594a2a1928475655432314", "2d24334354 1a4a", "1a15234355 5a53", "1a335a",
    "0a133853 536a", "1a53 5a13", "1a33 5a332010", "1a5a1353",
    "4d3c3928373443", "3e31", "2d3c3948373423", "17293847 4759",
};
// clang-format on

static const char* const unknown = "131d5d5313";  // a box

const char* font_strokes(unsigned int character)
{
    const bool is_known = character >= ' ' && character <= '~';
    return is_known ? strokes[character - ' '] : unknown;
}

double font_advance(unsigned int character)
{
    if (character == ' ') return 4.5;
    if (character != '\0' && strchr("mwMW@", (int)(character & 0x7f)) != NULL) return 8.5;
    if (character != '\0' && strchr(".,:;'!|il", (int)(character & 0x7f)) != NULL) return 5.0;
    return 7.0;
}
