/* Hashes of triangle areas and rasterized heightfields of the golden single-tile cases. */
#ifndef WALKMESH_TESTS_RASTERIZE_GOLDEN_H
#define WALKMESH_TESTS_RASTERIZE_GOLDEN_H

#include <stdint.h>

typedef struct RasterizeGolden {
  const char *scene, *name;
  float cell_size, cell_height, slope;
  int32_t climb, width, depth;
  uint64_t triangle_areas, heightfield;
} RasterizeGolden;

/* clang-format off */
static const RasterizeGolden RASTERIZE_GOLDEN[] = {
    {"caves", "coarse", 0.5f, 0.400000006f, 45.0f, 2, 120, 120, UINT64_C(0x0b6108bd23f4eecd), UINT64_C(0xef35b61a67d55ea8)},
    {"caves", "default", 0.300000012f, 0.200000003f, 45.0f, 4, 200, 200, UINT64_C(0x0b6108bd23f4eecd), UINT64_C(0xf1732ffbe3865e40)},
    {"caves", "fine", 0.150000006f, 0.100000001f, 45.0f, 9, 400, 400, UINT64_C(0x0b6108bd23f4eecd), UINT64_C(0x1225988ec50348d5)},
    {"caves", "layers", 0.300000012f, 0.200000003f, 45.0f, 4, 200, 200, UINT64_C(0x0b6108bd23f4eecd), UINT64_C(0xf1732ffbe3865e40)},
    {"caves", "monotone", 0.300000012f, 0.200000003f, 45.0f, 4, 200, 200, UINT64_C(0x0b6108bd23f4eecd), UINT64_C(0xf1732ffbe3865e40)},
    {"caves", "noradius", 0.300000012f, 0.200000003f, 45.0f, 4, 200, 200, UINT64_C(0x0b6108bd23f4eecd), UINT64_C(0xf1732ffbe3865e40)},
    {"caves", "small", 0.200000003f, 0.100000001f, 60.0f, 3, 300, 300, UINT64_C(0x0b6108bd23f4eecd), UINT64_C(0x78ff6e13f231ea72)},
    {"city", "coarse", 0.5f, 0.400000006f, 45.0f, 2, 384, 384, UINT64_C(0x98725ff5df542061), UINT64_C(0x9bda38913968b6e8)},
    {"city", "default", 0.300000012f, 0.200000003f, 45.0f, 4, 640, 640, UINT64_C(0x98725ff5df542061), UINT64_C(0x9bf3b699237917d8)},
    {"city", "fine", 0.150000006f, 0.100000001f, 45.0f, 9, 1280, 1280, UINT64_C(0x98725ff5df542061), UINT64_C(0xef1a3701b559fc15)},
    {"city", "layers", 0.300000012f, 0.200000003f, 45.0f, 4, 640, 640, UINT64_C(0x98725ff5df542061), UINT64_C(0x9bf3b699237917d8)},
    {"city", "monotone", 0.300000012f, 0.200000003f, 45.0f, 4, 640, 640, UINT64_C(0x98725ff5df542061), UINT64_C(0x9bf3b699237917d8)},
    {"city", "noradius", 0.300000012f, 0.200000003f, 45.0f, 4, 640, 640, UINT64_C(0x98725ff5df542061), UINT64_C(0x9bf3b699237917d8)},
    {"city", "small", 0.200000003f, 0.100000001f, 60.0f, 3, 960, 960, UINT64_C(0x98725ff5df542061), UINT64_C(0x916d2e3dfa6447b8)},
    {"holes", "coarse", 0.5f, 0.400000006f, 45.0f, 2, 128, 128, UINT64_C(0x2361bae49d6e1992), UINT64_C(0xe74418df71eb9073)},
    {"holes", "default", 0.300000012f, 0.200000003f, 45.0f, 4, 213, 213, UINT64_C(0x2361bae49d6e1992), UINT64_C(0x9430fb55fef14975)},
    {"holes", "fine", 0.150000006f, 0.100000001f, 45.0f, 9, 427, 427, UINT64_C(0x2361bae49d6e1992), UINT64_C(0xd3ba95cfa6dd68e0)},
    {"holes", "layers", 0.300000012f, 0.200000003f, 45.0f, 4, 213, 213, UINT64_C(0x2361bae49d6e1992), UINT64_C(0x9430fb55fef14975)},
    {"holes", "monotone", 0.300000012f, 0.200000003f, 45.0f, 4, 213, 213, UINT64_C(0x2361bae49d6e1992), UINT64_C(0x9430fb55fef14975)},
    {"holes", "noradius", 0.300000012f, 0.200000003f, 45.0f, 4, 213, 213, UINT64_C(0x2361bae49d6e1992), UINT64_C(0x9430fb55fef14975)},
    {"holes", "small", 0.200000003f, 0.100000001f, 60.0f, 3, 320, 320, UINT64_C(0x2361bae49d6e1992), UINT64_C(0xe4aa64dcc5841965)},
    {"islands", "coarse", 0.5f, 0.400000006f, 45.0f, 2, 100, 101, UINT64_C(0x130aedce2a6313b1), UINT64_C(0xa9022c2f63ccbab5)},
    {"islands", "default", 0.300000012f, 0.200000003f, 45.0f, 4, 167, 168, UINT64_C(0x130aedce2a6313b1), UINT64_C(0xfbd97e1ffa2f47bf)},
    {"islands", "fine", 0.150000006f, 0.100000001f, 45.0f, 9, 333, 335, UINT64_C(0x130aedce2a6313b1), UINT64_C(0x994d8d379b94ba50)},
    {"islands", "layers", 0.300000012f, 0.200000003f, 45.0f, 4, 167, 168, UINT64_C(0x130aedce2a6313b1), UINT64_C(0xfbd97e1ffa2f47bf)},
    {"islands", "monotone", 0.300000012f, 0.200000003f, 45.0f, 4, 167, 168, UINT64_C(0x130aedce2a6313b1), UINT64_C(0xfbd97e1ffa2f47bf)},
    {"islands", "noradius", 0.300000012f, 0.200000003f, 45.0f, 4, 167, 168, UINT64_C(0x130aedce2a6313b1), UINT64_C(0xfbd97e1ffa2f47bf)},
    {"islands", "small", 0.200000003f, 0.100000001f, 60.0f, 3, 250, 252, UINT64_C(0x130aedce2a6313b1), UINT64_C(0x3c880990ffe59686)},
    {"maze", "coarse", 0.5f, 0.400000006f, 45.0f, 2, 84, 84, UINT64_C(0x9f096006db3bc387), UINT64_C(0xa9d65bebc29848e4)},
    {"maze", "default", 0.300000012f, 0.200000003f, 45.0f, 4, 140, 140, UINT64_C(0x9f096006db3bc387), UINT64_C(0x9fb2bc8f83d4f553)},
    {"maze", "fine", 0.150000006f, 0.100000001f, 45.0f, 9, 279, 279, UINT64_C(0x9f096006db3bc387), UINT64_C(0xff8765a8f6367c7f)},
    {"maze", "layers", 0.300000012f, 0.200000003f, 45.0f, 4, 140, 140, UINT64_C(0x9f096006db3bc387), UINT64_C(0x9fb2bc8f83d4f553)},
    {"maze", "monotone", 0.300000012f, 0.200000003f, 45.0f, 4, 140, 140, UINT64_C(0x9f096006db3bc387), UINT64_C(0x9fb2bc8f83d4f553)},
    {"maze", "noradius", 0.300000012f, 0.200000003f, 45.0f, 4, 140, 140, UINT64_C(0x9f096006db3bc387), UINT64_C(0x9fb2bc8f83d4f553)},
    {"maze", "small", 0.200000003f, 0.100000001f, 60.0f, 3, 210, 210, UINT64_C(0x9f096006db3bc387), UINT64_C(0xf487e91aadb95883)},
    {"plaza", "coarse", 0.5f, 0.400000006f, 45.0f, 2, 80, 80, UINT64_C(0x25075f9c2b573ca1), UINT64_C(0x4b147040e83d2156)},
    {"plaza", "default", 0.300000012f, 0.200000003f, 45.0f, 4, 133, 133, UINT64_C(0x25075f9c2b573ca1), UINT64_C(0xdc1b59ad9d695090)},
    {"plaza", "fine", 0.150000006f, 0.100000001f, 45.0f, 9, 267, 267, UINT64_C(0x25075f9c2b573ca1), UINT64_C(0xc006f4232f93f6b4)},
    {"plaza", "layers", 0.300000012f, 0.200000003f, 45.0f, 4, 133, 133, UINT64_C(0x25075f9c2b573ca1), UINT64_C(0xdc1b59ad9d695090)},
    {"plaza", "monotone", 0.300000012f, 0.200000003f, 45.0f, 4, 133, 133, UINT64_C(0x25075f9c2b573ca1), UINT64_C(0xdc1b59ad9d695090)},
    {"plaza", "noradius", 0.300000012f, 0.200000003f, 45.0f, 4, 133, 133, UINT64_C(0x25075f9c2b573ca1), UINT64_C(0xdc1b59ad9d695090)},
    {"plaza", "small", 0.200000003f, 0.100000001f, 60.0f, 3, 200, 200, UINT64_C(0x10d137a49484b927), UINT64_C(0xd13283ecacdd8d38)},
    {"soup", "coarse", 0.5f, 0.400000006f, 45.0f, 2, 93, 91, UINT64_C(0x5e21f1061512c20e), UINT64_C(0x92fd9cd153525a1c)},
    {"soup", "default", 0.300000012f, 0.200000003f, 45.0f, 4, 155, 152, UINT64_C(0x5e21f1061512c20e), UINT64_C(0x46d19fd0fae47eba)},
    {"soup", "fine", 0.150000006f, 0.100000001f, 45.0f, 9, 309, 304, UINT64_C(0x5e21f1061512c20e), UINT64_C(0x0d3eea0320aacd04)},
    {"soup", "layers", 0.300000012f, 0.200000003f, 45.0f, 4, 155, 152, UINT64_C(0x5e21f1061512c20e), UINT64_C(0x46d19fd0fae47eba)},
    {"soup", "monotone", 0.300000012f, 0.200000003f, 45.0f, 4, 155, 152, UINT64_C(0x5e21f1061512c20e), UINT64_C(0x46d19fd0fae47eba)},
    {"soup", "noradius", 0.300000012f, 0.200000003f, 45.0f, 4, 155, 152, UINT64_C(0x5e21f1061512c20e), UINT64_C(0x46d19fd0fae47eba)},
    {"soup", "small", 0.200000003f, 0.100000001f, 60.0f, 3, 232, 228, UINT64_C(0xd6ac04bf8ffcc6f4), UINT64_C(0xb6ed70302deb2f16)},
    {"stairs", "coarse", 0.5f, 0.400000006f, 45.0f, 2, 128, 96, UINT64_C(0xf4cea4e4b7125be5), UINT64_C(0x275ac2048c9b1c40)},
    {"stairs", "default", 0.300000012f, 0.200000003f, 45.0f, 4, 213, 160, UINT64_C(0xf4cea4e4b7125be5), UINT64_C(0xbe9cb4fe3ab277fb)},
    {"stairs", "fine", 0.150000006f, 0.100000001f, 45.0f, 9, 427, 320, UINT64_C(0xf4cea4e4b7125be5), UINT64_C(0x04b643874f3929a5)},
    {"stairs", "layers", 0.300000012f, 0.200000003f, 45.0f, 4, 213, 160, UINT64_C(0xf4cea4e4b7125be5), UINT64_C(0xbe9cb4fe3ab277fb)},
    {"stairs", "monotone", 0.300000012f, 0.200000003f, 45.0f, 4, 213, 160, UINT64_C(0xf4cea4e4b7125be5), UINT64_C(0xbe9cb4fe3ab277fb)},
    {"stairs", "noradius", 0.300000012f, 0.200000003f, 45.0f, 4, 213, 160, UINT64_C(0xf4cea4e4b7125be5), UINT64_C(0xbe9cb4fe3ab277fb)},
    {"stairs", "small", 0.200000003f, 0.100000001f, 60.0f, 3, 320, 240, UINT64_C(0x6a5fa7eed90f2121), UINT64_C(0x73c35888119ed0af)},
    {"terrain", "coarse", 0.5f, 0.400000006f, 45.0f, 2, 240, 240, UINT64_C(0xee07bc71c24be5cb), UINT64_C(0x1704527a0cdc242d)},
    {"terrain", "default", 0.300000012f, 0.200000003f, 45.0f, 4, 400, 400, UINT64_C(0xee07bc71c24be5cb), UINT64_C(0x8eeef01b3ee49fb9)},
    {"terrain", "fine", 0.150000006f, 0.100000001f, 45.0f, 9, 800, 800, UINT64_C(0xee07bc71c24be5cb), UINT64_C(0xd4a12940a28120a9)},
    {"terrain", "layers", 0.300000012f, 0.200000003f, 45.0f, 4, 400, 400, UINT64_C(0xee07bc71c24be5cb), UINT64_C(0x8eeef01b3ee49fb9)},
    {"terrain", "monotone", 0.300000012f, 0.200000003f, 45.0f, 4, 400, 400, UINT64_C(0xee07bc71c24be5cb), UINT64_C(0x8eeef01b3ee49fb9)},
    {"terrain", "noradius", 0.300000012f, 0.200000003f, 45.0f, 4, 400, 400, UINT64_C(0xee07bc71c24be5cb), UINT64_C(0x8eeef01b3ee49fb9)},
    {"terrain", "small", 0.200000003f, 0.100000001f, 60.0f, 3, 600, 600, UINT64_C(0x41b402292ea9a383), UINT64_C(0xcde38dd201eee6b1)},
    {"tower", "coarse", 0.5f, 0.400000006f, 45.0f, 2, 48, 48, UINT64_C(0x03ebcf5726cae9f9), UINT64_C(0x424d47d28f2e04b2)},
    {"tower", "default", 0.300000012f, 0.200000003f, 45.0f, 4, 80, 80, UINT64_C(0x03ebcf5726cae9f9), UINT64_C(0x87ab3b440ffdab0f)},
    {"tower", "fine", 0.150000006f, 0.100000001f, 45.0f, 9, 160, 160, UINT64_C(0x03ebcf5726cae9f9), UINT64_C(0x9b6890159ccbec5a)},
    {"tower", "layers", 0.300000012f, 0.200000003f, 45.0f, 4, 80, 80, UINT64_C(0x03ebcf5726cae9f9), UINT64_C(0x87ab3b440ffdab0f)},
    {"tower", "monotone", 0.300000012f, 0.200000003f, 45.0f, 4, 80, 80, UINT64_C(0x03ebcf5726cae9f9), UINT64_C(0x87ab3b440ffdab0f)},
    {"tower", "noradius", 0.300000012f, 0.200000003f, 45.0f, 4, 80, 80, UINT64_C(0x03ebcf5726cae9f9), UINT64_C(0x87ab3b440ffdab0f)},
    {"tower", "small", 0.200000003f, 0.100000001f, 60.0f, 3, 120, 120, UINT64_C(0x03ebcf5726cae9f9), UINT64_C(0x41f61ae9a360c25f)},
    {"recast/nav_test", "default", 0.300000012f, 0.200000003f, 45.0f, 4, 305, 258, UINT64_C(0x37126a062b3a07a5), UINT64_C(0xd59d2623cdbc82da)},
    {"recast/nav_test", "layers", 0.300000012f, 0.200000003f, 45.0f, 4, 305, 258, UINT64_C(0x37126a062b3a07a5), UINT64_C(0xd59d2623cdbc82da)},
    {"recast/nav_test", "monotone", 0.300000012f, 0.200000003f, 45.0f, 4, 305, 258, UINT64_C(0x37126a062b3a07a5), UINT64_C(0xd59d2623cdbc82da)},
    {"recast/nav_test", "small", 0.200000003f, 0.100000001f, 60.0f, 3, 457, 387, UINT64_C(0x37126a062b3a07a5), UINT64_C(0x2ea5538a09490489)},
    {"recast/nav_test", "voxel01", 0.100000001f, 0.0666666701f, 45.0f, 13, 914, 774, UINT64_C(0x37126a062b3a07a5), UINT64_C(0xafa8e000b9b1b09e)},
};
/* clang-format on */

#endif
