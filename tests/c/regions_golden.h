/* Hashes of eroded areas, distances and regions of the golden single-tile cases. `is_exempt`: the reference
 * reported overlapping regions, so its regions aren't used. */
#ifndef WALKMESH_TESTS_REGIONS_GOLDEN_H
#define WALKMESH_TESTS_REGIONS_GOLDEN_H

#include "bake/stages.h"

typedef struct RegionsGolden {
  const char *scene, *name;
  float cell_size, cell_height, slope;
  int32_t height, climb, radius;
  WmRegionSettings settings;
  int32_t width, depth;
  uint64_t areas;
  int32_t max_distance;
  uint64_t distances;
  uint32_t region_count;
  uint64_t regions;
  bool is_exempt;
} RegionsGolden;

/* clang-format off */
static const RegionsGolden REGIONS_GOLDEN[] = {
    {"caves", "coarse", 0.5f, 0.400000006f, 45.0f, 5, 2, 1, {0, 16, 64, 400},  120, 120, UINT64_C(0x3f08f9e2612b1465), 102, UINT64_C(0x89ac59545e92782d), 19, UINT64_C(0x1029b1dde929df45), false},
    {"caves", "default", 0.300000012f, 0.200000003f, 45.0f, 10, 4, 2, {0, 16, 64, 400},  200, 200, UINT64_C(0x0f4fe9a5ecb139d4), 184, UINT64_C(0xd32b9962c4c6eeee), 25, UINT64_C(0xdc51a7d62fb222e7), false},
    {"caves", "fine", 0.150000006f, 0.100000001f, 45.0f, 20, 9, 4, {0, 16, 64, 400},  400, 400, UINT64_C(0x214b8726efeed61e), 388, UINT64_C(0x114b80b75bd85023), 35, UINT64_C(0xd7d59255e3568996), false},
    {"caves", "layers", 0.300000012f, 0.200000003f, 45.0f, 10, 4, 2, {2, 16, 64, 400},  200, 200, UINT64_C(0x0f4fe9a5ecb139d4), 0, 0, 3, UINT64_C(0xd0eb24c71c76fd98), false},
    {"caves", "monotone", 0.300000012f, 0.200000003f, 45.0f, 10, 4, 2, {1, 16, 64, 400},  200, 200, UINT64_C(0x0f4fe9a5ecb139d4), 0, 0, 47, UINT64_C(0xd5c26f6b91243df7), false},
    {"caves", "noradius", 0.300000012f, 0.200000003f, 45.0f, 10, 4, 0, {0, 16, 64, 400},  200, 200, UINT64_C(0xe7ecf253c0b9dd1f), 189, UINT64_C(0xb277588c091a6b8a), 25, UINT64_C(0xe0b7d1ca0f0a3200), false},
    {"caves", "small", 0.200000003f, 0.100000001f, 60.0f, 12, 3, 2, {0, 16, 4, 100},  300, 300, UINT64_C(0x4061f2ab387847db), 148, UINT64_C(0x90c3837aa6697d1c), 79, UINT64_C(0x3377b0a2293912c5), false},
    {"city", "coarse", 0.5f, 0.400000006f, 45.0f, 5, 2, 1, {0, 16, 64, 400},  384, 384, UINT64_C(0x66730715bb972cb4), 33, UINT64_C(0x5cae69fa495b98b8), 395, UINT64_C(0x4e75f5b5eff9812e), false},
    {"city", "default", 0.300000012f, 0.200000003f, 45.0f, 10, 4, 2, {0, 16, 64, 400},  640, 640, UINT64_C(0x10488bcd5b12ab1e), 55, UINT64_C(0x81c0742fb75ef226), 448, UINT64_C(0xbadfa7c297298f6c), false},
    {"city", "fine", 0.150000006f, 0.100000001f, 45.0f, 20, 9, 4, {0, 16, 64, 400},  1280, 1280, UINT64_C(0x39bb85634bb6e1a3), 115, UINT64_C(0xe8395097d2259db9), 685, UINT64_C(0x4ad360ed49f28d6f), false},
    {"city", "layers", 0.300000012f, 0.200000003f, 45.0f, 10, 4, 2, {2, 16, 64, 400},  640, 640, UINT64_C(0x10488bcd5b12ab1e), 0, 0, 270, UINT64_C(0x883361fe8e0b8f8c), false},
    {"city", "monotone", 0.300000012f, 0.200000003f, 45.0f, 10, 4, 2, {1, 16, 64, 400},  640, 640, UINT64_C(0x10488bcd5b12ab1e), 0, 0, 441, UINT64_C(0xae9eba79331195a8), false},
    {"city", "noradius", 0.300000012f, 0.200000003f, 45.0f, 10, 4, 0, {0, 16, 64, 400},  640, 640, UINT64_C(0x7fe05ef0aba73840), 60, UINT64_C(0x9b935c2b2bc620c7), 450, UINT64_C(0xc436fbb4359c74b6), false},
    {"city", "small", 0.200000003f, 0.100000001f, 60.0f, 12, 3, 2, {0, 16, 4, 100},  960, 960, UINT64_C(0x6cf335f15c374aba), 86, UINT64_C(0xe19ee0612a6675af), 698, UINT64_C(0x984cc9cdaf0f9189), false},
    {"holes", "coarse", 0.5f, 0.400000006f, 45.0f, 5, 2, 1, {0, 16, 64, 400},  128, 128, UINT64_C(0x83d3f0e540292f37), 11, UINT64_C(0x312a480862508f01), 29, UINT64_C(0x75ddce7bb1be6255), false},
    {"holes", "default", 0.300000012f, 0.200000003f, 45.0f, 10, 4, 2, {0, 16, 64, 400},  213, 213, UINT64_C(0x8023c9609a7ecb84), 20, UINT64_C(0xc408523a5bcd145c), 54, UINT64_C(0x773cb1566bc33be7), false},
    {"holes", "fine", 0.150000006f, 0.100000001f, 45.0f, 20, 9, 4, {0, 16, 64, 400},  427, 427, UINT64_C(0xc4d22d26774264a0), 42, UINT64_C(0x517944345dbcd6a7), 172, UINT64_C(0x9fd911ac7f0b7485), false},
    {"holes", "layers", 0.300000012f, 0.200000003f, 45.0f, 10, 4, 2, {2, 16, 64, 400},  213, 213, UINT64_C(0x8023c9609a7ecb84), 0, 0, 2, UINT64_C(0x58cbeb75f1c2571a), false},
    {"holes", "monotone", 0.300000012f, 0.200000003f, 45.0f, 10, 4, 2, {1, 16, 64, 400},  213, 213, UINT64_C(0x8023c9609a7ecb84), 0, 0, 60, UINT64_C(0xaa3982a810efeaf3), false},
    {"holes", "noradius", 0.300000012f, 0.200000003f, 45.0f, 10, 4, 0, {0, 16, 64, 400},  213, 213, UINT64_C(0xe0d17d818a02ecde), 24, UINT64_C(0xb5858c5d8ff180ab), 84, UINT64_C(0xb6942187c4ed4708), false},
    {"holes", "small", 0.200000003f, 0.100000001f, 60.0f, 12, 3, 2, {0, 16, 4, 100},  320, 320, UINT64_C(0x81dedb72b53e7298), 33, UINT64_C(0xe1a5ffe5802e8bbb), 290, UINT64_C(0xf6028e680d3775bd), false},
    {"islands", "coarse", 0.5f, 0.400000006f, 45.0f, 5, 2, 1, {0, 16, 64, 400},  100, 101, UINT64_C(0x1af47bef43582b71), 12, UINT64_C(0x90fe45029c315c0a), 10, UINT64_C(0x670f864380062024), false},
    {"islands", "default", 0.300000012f, 0.200000003f, 45.0f, 10, 4, 2, {0, 16, 64, 400},  167, 168, UINT64_C(0x8738f0aac7643163), 19, UINT64_C(0xfdbc72e770ba6885), 21, UINT64_C(0x8670d5687768d571), false},
    {"islands", "fine", 0.150000006f, 0.100000001f, 45.0f, 20, 9, 4, {0, 16, 64, 400},  333, 335, UINT64_C(0xcfd9f5b461dda006), 42, UINT64_C(0x9ada16915dffd820), 122, UINT64_C(0x083009279f3a1adb), false},
    {"islands", "layers", 0.300000012f, 0.200000003f, 45.0f, 10, 4, 2, {2, 16, 64, 400},  167, 168, UINT64_C(0x8738f0aac7643163), 0, 0, 3, UINT64_C(0x29b156ef380f8993), false},
    {"islands", "monotone", 0.300000012f, 0.200000003f, 45.0f, 10, 4, 2, {1, 16, 64, 400},  167, 168, UINT64_C(0x8738f0aac7643163), 0, 0, 22, UINT64_C(0x00c653177cea8a5d), false},
    {"islands", "noradius", 0.300000012f, 0.200000003f, 45.0f, 10, 4, 0, {0, 16, 64, 400},  167, 168, UINT64_C(0x6fe89be4f1d35618), 24, UINT64_C(0x44f57b290ea08861), 78, UINT64_C(0x4c1058265554ba3a), false},
    {"islands", "small", 0.200000003f, 0.100000001f, 60.0f, 12, 3, 2, {0, 16, 4, 100},  250, 252, UINT64_C(0x7c3632ee0e207468), 33, UINT64_C(0xf7284effa82d4d50), 254, UINT64_C(0x65479b67da3ca3fc), false},
    {"maze", "coarse", 0.5f, 0.400000006f, 45.0f, 5, 2, 1, {0, 16, 64, 400},  84, 84, UINT64_C(0xcafb1cc4c95b6415), 2, UINT64_C(0x837a019e531de9d1), 2, UINT64_C(0x761069a291e69a8b), false},
    {"maze", "default", 0.300000012f, 0.200000003f, 45.0f, 10, 4, 2, {0, 16, 64, 400},  140, 140, UINT64_C(0xc7f9128505a9cff6), 4, UINT64_C(0xd74b5e331bbeebd1), 2, UINT64_C(0x5ead0d16d35a730a), false},
    {"maze", "fine", 0.150000006f, 0.100000001f, 45.0f, 20, 9, 4, {0, 16, 64, 400},  279, 279, UINT64_C(0x0cb072d1ac82e96d), 11, UINT64_C(0x4700c0b88e279b3b), 48, UINT64_C(0x64894bc6b4d393bb), false},
    {"maze", "layers", 0.300000012f, 0.200000003f, 45.0f, 10, 4, 2, {2, 16, 64, 400},  140, 140, UINT64_C(0xc7f9128505a9cff6), 0, 0, 2, UINT64_C(0x5ead0d16d35a730a), false},
    {"maze", "monotone", 0.300000012f, 0.200000003f, 45.0f, 10, 4, 2, {1, 16, 64, 400},  140, 140, UINT64_C(0xc7f9128505a9cff6), 0, 0, 12, UINT64_C(0xfeb558cb6945a079), false},
    {"maze", "noradius", 0.300000012f, 0.200000003f, 45.0f, 10, 4, 0, {0, 16, 64, 400},  140, 140, UINT64_C(0x28665686adafebf7), 8, UINT64_C(0xfe4aabedb34109e4), 9, UINT64_C(0xa7217002799b5420), false},
    {"maze", "small", 0.200000003f, 0.100000001f, 60.0f, 12, 3, 2, {0, 16, 4, 100},  210, 210, UINT64_C(0xbed20c8c7bdd5328), 10, UINT64_C(0xe816de2c491eb23f), 59, UINT64_C(0x4f3f89da6b7690f9), false},
    {"plaza", "coarse", 0.5f, 0.400000006f, 45.0f, 5, 2, 1, {0, 16, 64, 400},  80, 80, UINT64_C(0xdcd57ae6dc4884c4), 41, UINT64_C(0xb618132e671be7ce), 8, UINT64_C(0x715d807d0630497f), false},
    {"plaza", "default", 0.300000012f, 0.200000003f, 45.0f, 10, 4, 2, {0, 16, 64, 400},  133, 133, UINT64_C(0x343c8f533661252e), 60, UINT64_C(0x511cb7a7a4170421), 16, UINT64_C(0x99293967ebf69b7f), false},
    {"plaza", "fine", 0.150000006f, 0.100000001f, 45.0f, 20, 9, 4, {0, 16, 64, 400},  267, 267, UINT64_C(0xf9cc2d0337c18912), 124, UINT64_C(0x3ac4b0404dc88375), 32, UINT64_C(0x56016500158b17ec), false},
    {"plaza", "layers", 0.300000012f, 0.200000003f, 45.0f, 10, 4, 2, {2, 16, 64, 400},  133, 133, UINT64_C(0x343c8f533661252e), 0, 0, 5, UINT64_C(0xf14258e5ffcb76c1), false},
    {"plaza", "monotone", 0.300000012f, 0.200000003f, 45.0f, 10, 4, 2, {1, 16, 64, 400},  133, 133, UINT64_C(0x343c8f533661252e), 0, 0, 20, UINT64_C(0x78c58c2934d7a189), false},
    {"plaza", "noradius", 0.300000012f, 0.200000003f, 45.0f, 10, 4, 0, {0, 16, 64, 400},  133, 133, UINT64_C(0x7989ce8ec568aa27), 64, UINT64_C(0x4acbe0f3346918cb), 24, UINT64_C(0x505e5a24a51985d0), false},
    {"plaza", "small", 0.200000003f, 0.100000001f, 60.0f, 12, 3, 2, {0, 16, 4, 100},  200, 200, UINT64_C(0xad94dd416da18509), 94, UINT64_C(0xb047787c11bf8ade), 36, UINT64_C(0x5da7212266a2c878), false},
    {"soup", "coarse", 0.5f, 0.400000006f, 45.0f, 5, 2, 1, {0, 16, 64, 400},  93, 91, UINT64_C(0x171ef8fc7dadcb0c), 4, UINT64_C(0x545f118180cf84cb), 1, UINT64_C(0x4dfc849d4f16409b), false},
    {"soup", "default", 0.300000012f, 0.200000003f, 45.0f, 10, 4, 2, {0, 16, 64, 400},  155, 152, UINT64_C(0xf108bd6c29072324), 4, UINT64_C(0x0bd2d39d5797026b), 2, UINT64_C(0xc4c92e6e08a2524a), false},
    {"soup", "fine", 0.150000006f, 0.100000001f, 45.0f, 20, 9, 4, {0, 16, 64, 400},  309, 304, UINT64_C(0xa333b75b27ba26fb), 17, UINT64_C(0xab37886d7531910b), 15, UINT64_C(0x1252b6d1539ac467), false},
    {"soup", "layers", 0.300000012f, 0.200000003f, 45.0f, 10, 4, 2, {2, 16, 64, 400},  155, 152, UINT64_C(0xf108bd6c29072324), 0, 0, 2, UINT64_C(0xc4c92e6e08a2524a), false},
    {"soup", "monotone", 0.300000012f, 0.200000003f, 45.0f, 10, 4, 2, {1, 16, 64, 400},  155, 152, UINT64_C(0xf108bd6c29072324), 0, 0, 2, UINT64_C(0xc4c92e6e08a2524a), false},
    {"soup", "noradius", 0.300000012f, 0.200000003f, 45.0f, 10, 4, 0, {0, 16, 64, 400},  155, 152, UINT64_C(0xd25a51dc4378eb47), 9, UINT64_C(0xb565a81f9fef4b13), 55, UINT64_C(0x9bfc60468a729433), false},
    {"soup", "small", 0.200000003f, 0.100000001f, 60.0f, 12, 3, 2, {0, 16, 4, 100},  232, 228, UINT64_C(0x2f62c468905f5bf5), 7, UINT64_C(0xa2054deee9a988ec), 191, UINT64_C(0xa373ffc6a3a87e51), false},
    {"stairs", "coarse", 0.5f, 0.400000006f, 45.0f, 5, 2, 1, {0, 16, 64, 400},  128, 96, UINT64_C(0xa2c711396cc32802), 24, UINT64_C(0x4a33e728e5a15649), 10, UINT64_C(0x4d4b1191e0a935fc), false},
    {"stairs", "default", 0.300000012f, 0.200000003f, 45.0f, 10, 4, 2, {0, 16, 64, 400},  213, 160, UINT64_C(0x4e09709a949fb3ad), 39, UINT64_C(0x75996dbba1d7d680), 29, UINT64_C(0xb2158d109d7f7df8), false},
    {"stairs", "fine", 0.150000006f, 0.100000001f, 45.0f, 20, 9, 4, {0, 16, 64, 400},  427, 320, UINT64_C(0xbda91c1f95a82b3c), 82, UINT64_C(0x1af2c93fdc0cb2e3), 96, UINT64_C(0xf947ab68e389b2d7), false},
    {"stairs", "layers", 0.300000012f, 0.200000003f, 45.0f, 10, 4, 2, {2, 16, 64, 400},  213, 160, UINT64_C(0x4e09709a949fb3ad), 0, 0, 12, UINT64_C(0x5cd7512e99535bab), false},
    {"stairs", "monotone", 0.300000012f, 0.200000003f, 45.0f, 10, 4, 2, {1, 16, 64, 400},  213, 160, UINT64_C(0x4e09709a949fb3ad), 0, 0, 44, UINT64_C(0x035b793e059306d8), false},
    {"stairs", "noradius", 0.300000012f, 0.200000003f, 45.0f, 10, 4, 0, {0, 16, 64, 400},  213, 160, UINT64_C(0x2ab95d2349b0df01), 44, UINT64_C(0xee03483645ed8205), 42, UINT64_C(0x7d5235578e79b974), false},
    {"stairs", "small", 0.200000003f, 0.100000001f, 60.0f, 12, 3, 2, {0, 16, 4, 100},  320, 240, UINT64_C(0x4ee112d94b5626cd), 56, UINT64_C(0x788a4b75deda2a65), 100, UINT64_C(0x61130d4942536847), false},
    {"terrain", "coarse", 0.5f, 0.400000006f, 45.0f, 5, 2, 1, {0, 16, 64, 400},  240, 240, UINT64_C(0x69b22fd5db61617f), 80, UINT64_C(0x312967966c2782ab), 32, UINT64_C(0x30e674d91d506c1d), false},
    {"terrain", "default", 0.300000012f, 0.200000003f, 45.0f, 10, 4, 2, {0, 16, 64, 400},  400, 400, UINT64_C(0x74a3b1524bcae4ea), 192, UINT64_C(0x557049c2436d9af7), 49, UINT64_C(0x668b0192fd684f2f), false},
    {"terrain", "fine", 0.150000006f, 0.100000001f, 45.0f, 20, 9, 4, {0, 16, 64, 400},  800, 800, UINT64_C(0xbbd1cf8926e51434), 385, UINT64_C(0xd21845d9b2ceb1bc), 90, UINT64_C(0xfc70e0aadfa3b47c), false},
    {"terrain", "layers", 0.300000012f, 0.200000003f, 45.0f, 10, 4, 2, {2, 16, 64, 400},  400, 400, UINT64_C(0x74a3b1524bcae4ea), 0, 0, 2, UINT64_C(0x44a6ecbea834d742), false},
    {"terrain", "monotone", 0.300000012f, 0.200000003f, 45.0f, 10, 4, 2, {1, 16, 64, 400},  400, 400, UINT64_C(0x74a3b1524bcae4ea), 0, 0, 90, UINT64_C(0x9e76af878abbedb6), false},
    {"terrain", "noradius", 0.300000012f, 0.200000003f, 45.0f, 10, 4, 0, {0, 16, 64, 400},  400, 400, UINT64_C(0x1e4fa5baff0d6e69), 197, UINT64_C(0x60a94b11f44ed113), 53, UINT64_C(0x3ab3f9afad3da327), false},
    {"terrain", "small", 0.200000003f, 0.100000001f, 60.0f, 12, 3, 2, {0, 16, 4, 100},  600, 600, UINT64_C(0x9ae0ca467278bc4d), 174, UINT64_C(0x699b20209c46b278), 129, UINT64_C(0xd4ecfa4ad8e1c999), false},
    {"tower", "coarse", 0.5f, 0.400000006f, 45.0f, 5, 2, 1, {0, 16, 64, 400},  48, 48, UINT64_C(0x915dda3d7df8bd30), 20, UINT64_C(0x90da6107961c8b10), 4, UINT64_C(0x67dc69cb0c9c705b), true},
    {"tower", "default", 0.300000012f, 0.200000003f, 45.0f, 10, 4, 2, {0, 16, 64, 400},  80, 80, UINT64_C(0xdf4f24af852747ce), 33, UINT64_C(0x5cc0a87b691b6eca), 11, UINT64_C(0x583e5781e04ceea2), true},
    {"tower", "fine", 0.150000006f, 0.100000001f, 45.0f, 20, 9, 4, {0, 16, 64, 400},  160, 160, UINT64_C(0xbf96c23ca5ecba11), 70, UINT64_C(0x005984200d13d766), 13, UINT64_C(0x72169f07903c1c08), true},
    {"tower", "layers", 0.300000012f, 0.200000003f, 45.0f, 10, 4, 2, {2, 16, 64, 400},  80, 80, UINT64_C(0xdf4f24af852747ce), 0, 0, 8, UINT64_C(0xc001997629ac3685), false},
    {"tower", "monotone", 0.300000012f, 0.200000003f, 45.0f, 10, 4, 2, {1, 16, 64, 400},  80, 80, UINT64_C(0xdf4f24af852747ce), 0, 0, 12, UINT64_C(0xb732b201e1b26897), false},
    {"tower", "noradius", 0.300000012f, 0.200000003f, 45.0f, 10, 4, 0, {0, 16, 64, 400},  80, 80, UINT64_C(0xf630f707705fb66c), 38, UINT64_C(0x5635fbe215cea04d), 12, UINT64_C(0x33c4315f1deb22a0), true},
    {"tower", "small", 0.200000003f, 0.100000001f, 60.0f, 12, 3, 2, {0, 16, 4, 100},  120, 120, UINT64_C(0xcbf3055d9775ecbe), 54, UINT64_C(0x805118613fafc79b), 14, UINT64_C(0x3c273e318ef57840), true},
    {"recast/nav_test", "default", 0.300000012f, 0.200000003f, 45.0f, 10, 4, 2, {0, 16, 64, 400},  305, 258, UINT64_C(0xf4e8e76f208a479c), 60, UINT64_C(0xf69ed32fa80b8a00), 48, UINT64_C(0x8e96fb9afcd48306), false},
    {"recast/nav_test", "layers", 0.300000012f, 0.200000003f, 45.0f, 10, 4, 2, {2, 16, 64, 400},  305, 258, UINT64_C(0xf4e8e76f208a479c), 0, 0, 19, UINT64_C(0x830e259156bbba37), false},
    {"recast/nav_test", "monotone", 0.300000012f, 0.200000003f, 45.0f, 10, 4, 2, {1, 16, 64, 400},  305, 258, UINT64_C(0xf4e8e76f208a479c), 0, 0, 50, UINT64_C(0x2b8200e8c55fabdf), false},
    {"recast/nav_test", "small", 0.200000003f, 0.100000001f, 60.0f, 12, 3, 2, {0, 16, 4, 100},  457, 387, UINT64_C(0xf46c925ce35abe0c), 101, UINT64_C(0xf7015ec28a67b0da), 114, UINT64_C(0x59b9243f214d7a7e), false},
    {"recast/nav_test", "voxel01", 0.100000001f, 0.0666666701f, 45.0f, 30, 13, 6, {0, 16, 64, 400},  914, 774, UINT64_C(0xc816544835a43888), 190, UINT64_C(0xbaaddc56f34064c2), 115, UINT64_C(0xbbd6f3213f4262c9), false},
};
/* clang-format on */

#endif
