/* All harnesses by name, for programs that run several of them. */
#include "harness.h"

const FuzzHarness FUZZ_HARNESSES[] = {{"mesh_read", fuzz_mesh_read},
                                      {"tile", fuzz_tile},
                                      {"mesh_edits", fuzz_mesh_edits},
                                      {"segment_links", fuzz_segment_links},
                                      {"dynamic", fuzz_dynamic},
                                      {"dynamic_tiles", fuzz_dynamic_tiles},
                                      {"dynamic_links", fuzz_dynamic_links},
                                      {"detour_cache", fuzz_detour_cache},
                                      {"crowd", fuzz_crowd},
                                      {"bake", fuzz_bake},
                                      {"stages", fuzz_stages},
                                      {"contours", fuzz_contours},
                                      {"queries", fuzz_queries},
                                      {"walks", fuzz_walks},
                                      {"tile_graph", fuzz_tile_graph},
                                      {"motion", fuzz_motion},
                                      {"shortest", fuzz_shortest},
                                      {"parts", fuzz_parts},
                                      {NULL, NULL}};
