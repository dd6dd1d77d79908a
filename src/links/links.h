/* Links that make themselves: drops, jumps, climbs and vaults between the borders of a mesh.
 *
 * A second pass over a bake. It reads the mesh (borders, ground) and the air of its tiles: every gap between solid spans that
 * is high enough for the agent, walkable or not. So tiles stay as they are, and a link may pass any number of tiles. Outside of the
 * grid, and where a column has no solid span, everything is air. A tile place inside the grid whose air isn't set is missing: links
 * over it wait. With air but without a tile in the mesh it has no ground.
 *
 * Usual order: keep the air of each tile while it is baked (wm_baker_keep_air in bake/bake.h); wm_link_generator_create;
 * wm_link_generator_set_air for each tile (or wm_baker_take_air, wm_link_generator_give_air); for each tile
 * wm_link_generator_run, and wm_mesh_put_links with the result (mesh/links/segment_links.h). After a change of tiles: set the air
 * again, run the tiles that wm_link_generator_affected names. wm_link_generator_destroy at the end.
 *
 * The links of a tile depend on the air and polygons of the tiles within reach, on volumes that block, and on the
 * configuration, and on nothing else: neither on the order of calls, nor on links that exist.
 *
 * For each border of the mesh, at positions at most a cell apart, both its ends included: where could an agent land, going straight
 * away from the border? The line is sampled every half cell. At each landing the agent's body (a cylinder of its radius and height,
 * above the step height within a radius and a cell of both ends) is swept along the trajectory through the air: a column of cells
 * meets it if the column's centre does. Positions beside each other that land alike are one link, as wide as they are, moved by the
 * longest of their distances. Heights between them lie within 0.75 cell heights of its segments. Links narrower than a cell aren't
 * made: where positions are too few for one, it is tried a cell wide, with distances of up to three cells more. A link belongs to
 * the tile of the border at which it was found: drops, jumps and vaults start there, climbs end there.
 *
 *   drop, climb   landing lower than the climb, at least two radii and at most two radii and six cells away. Where a drop leads down,
 *                 the climb leads up only
 *   jump          landing at least two radii away. The arc rises `jump_peak` above its lower end if agents can jump back over it, that
 *                 is, if its height is within both jump_max_up and jump_max_down. If they can't, or that arc is blocked, it rises
 *                 `jump_peak` above the take-off, and leads there only. The jumps of a link rise to the lowest of their peaks
 *   vault         obstacle higher than the climb above both ends; landing at most vault_max_depth, two radii and four cells away. Feet
 *                 rise a cell height above the obstacle. Both ways
 *
 * A link is left out if agents can step along it at all its positions: the floor goes on from end to end, in steps up to the climb and
 * with room for the body, and ground of the mesh lies nowhere farther than two radii apart. Meshes have such holes where a bake leaves out
 * a region of few cells; they end the radius before all that stops agents.
 *
 * Of each stretch of ground along the line, the nearest sample at which a kind passes counts: of the first six all are tried, then
 * every fourth.
 *
 * If `min_saving` is set, a link is left out where walking from the middle of its start to the middle of its end costs at most
 * `min_saving` times as much as crossing it. A walk costs its length: the shortest one, its corners with their heights. Links then
 * depend on the polygons within the longest such walk, too.
 *
 * Economy: links of a tile whose segments continue each other with the same motion are joined. A link is left out if both its
 * segments lie nowhere farther than `thinning` from those of a wider link of its kind (the first one, of equals) that leads the same
 * ways, seen from either side if that one leads both ways; a jump that leads one way also if they lie so beside a drop.
 *
 * source     M. Mononen, "Jump links" (notes, 2011) for the idea of sampling borders and checking trajectories */
#ifndef WALKMESH_LINKS_LINKS_H
#define WALKMESH_LINKS_LINKS_H

#include "base/public.h"
#include "links/link_config.h"
#include "bake/stages.h"

WM_PUBLIC_BEGIN

typedef struct WmLinkGenerator WmLinkGenerator;

/* Why there is no link. The order is that of the checks: of several candidates at a place the one that came farthest counts. */
typedef enum WmLinkRefusal {
  WM_LINK_MADE = 0,
  WM_LINK_NO_BORDER,     /* no border of the mesh near the place faces the end */
  WM_LINK_KIND_OFF,      /* only a kind that is off would lead there */
  WM_LINK_NO_GROUND,     /* no ground within reach */
  WM_LINK_TOO_FAR,       /* value: distance; limit */
  WM_LINK_TOO_HIGH,      /* value: height up or over; limit */
  WM_LINK_TOO_DEEP,      /* value: height down; limit */
  WM_LINK_WALKABLE_STEP, /* within the step height, or agents step along it */
  WM_LINK_BLOCKED, /* the body touches something: place; value: the headroom there; limit: what it needs; 0: unknown */
  WM_LINK_NO_ROOM, /* no room to land: the body touches something at its end, or the landing is off the mesh */
  WM_LINK_TOO_NARROW,    /* limit: the least width */
  WM_LINK_THINNED,       /* a wider link beside it, or a drop, leads to the same place */
  WM_LINK_SAVES_NOTHING, /* value: cost of walking over cost of the link; limit */
  WM_LINK_TILE_MISSING,  /* a tile that it would pass isn't there: it waits */
  WM_LINK_REFUSALS
} WmLinkRefusal;

typedef struct WmRefusedLink {
  uint8_t reason;     /* WmLinkRefusal */
  uint8_t kind;       /* WmSegmentLinkKind */
  float start[3];     /* take-off */
  float end[3];       /* landing, or as far as it came */
  float place[3];     /* of what stopped it */
  float value, limit; /* see WmLinkRefusal; 0 if not used */
} WmRefusedLink;

/* The result for one tile. Arrays are blocks of the context, freed by wm_link_result_free. */
typedef struct WmLinkResult {
  WmSegmentLink *links; /* [link_count] in an order that the input decides */
  size_t link_count;
  WmRefusedLink *
      refused; /* [refused_count], only if asked for; NULL: none. One for each position of a border without a link of a kind */
  size_t refused_count;
} WmLinkResult;

/* in         config, bake: copied; bake: with its bounds (wm_baker_bounds)
 * returns    WM_OK, WM_ERROR_CONFIGURATION, WM_ERROR_OUT_OF_MEMORY; *generator is NULL on failure */
WmStatus wm_link_generator_create(WmContext *context, const WmLinkConfig *config, const WmConfig *bake,
                                  WmLinkGenerator **generator);

/* Changes which links are made; the air stays. All kinds may be off.
 * in         config: copied
 * returns    WM_OK; WM_ERROR_CONFIGURATION naming the field: nothing changed */
WmStatus wm_link_generator_configure(WmLinkGenerator *generator, const WmLinkConfig *config);

/* NULL is allowed. */
void wm_link_generator_destroy(WmLinkGenerator *generator);

/* Stores the air of a tile, or replaces it; `bytes` NULL: removes it.
 * in         bytes: from wm_baker_keep_air, copied, any bytes are safe; blocking: volumes that nothing passes (obstacles,
 *            volumes of area 0), copied
 * returns    WM_OK, WM_ERROR_INVALID_ARGUMENT (outside the grid), WM_ERROR_CORRUPT, WM_ERROR_LIMIT, WM_ERROR_OUT_OF_MEMORY
 * memory     bytes may unpack to at most 8 bytes for each gap of the agent's height within the bounds, times the tile's cells */
WmStatus wm_link_generator_set_air(WmLinkGenerator *generator, int32_t x, int32_t z, const uint8_t *bytes,
                                   size_t byte_count, const WmAreaVolume *blocking, size_t blocking_count);

/* Replaces the volumes that block the air of a tile; the air stays.
 * returns    WM_OK, WM_ERROR_INVALID_ARGUMENT (outside the grid, or the tile is missing), WM_ERROR_OUT_OF_MEMORY */
WmStatus wm_link_generator_set_volumes(WmLinkGenerator *generator, int32_t x, int32_t z,
                                       const WmAreaVolume *blocking, size_t blocking_count);

/* As wm_link_generator_set_air, of air that was never compressed: twice as fast. Air beyond the limit of unpacked air is compressed.
 * in         air: from wm_baker_take_air of a bake with the same configuration; owned by the generator, also on failure
 * returns    WM_OK, WM_ERROR_INVALID_ARGUMENT (outside or of another grid), WM_ERROR_OUT_OF_MEMORY */
WmStatus wm_link_generator_give_air(WmLinkGenerator *generator, int32_t x, int32_t z, WmAir *air,
                                    const WmAreaVolume *blocking, size_t blocking_count);

/* Copies the air of a tile, compressed, without the volumes that block it.
 * out        *bytes [*byte_count], freed by wm_block_free; NULL if the tile is missing, and on failure
 * returns    WM_OK, WM_ERROR_INVALID_ARGUMENT (outside the grid), WM_ERROR_OUT_OF_MEMORY */
WmStatus wm_link_generator_copy_air(WmLinkGenerator *generator, int32_t x, int32_t z, uint8_t **bytes,
                                    size_t *byte_count);

/* Moves all air of another generator of the same configuration, with the volumes that block it, in place of the air of these tiles.
 * in/out     other: without air and without cached borders afterwards
 * returns    WM_OK, WM_ERROR_INVALID_ARGUMENT (of another grid), WM_ERROR_OUT_OF_MEMORY: nothing is moved */
WmStatus wm_link_generator_take_air(WmLinkGenerator *generator, WmLinkGenerator *other);

/* Bytes of the air of all tiles, uncompressed. */
size_t wm_link_generator_air_bytes(const WmLinkGenerator *generator);

/* Reports that tile (x, z) of the mesh was added, replaced or removed since the last run. A place outside of the grid is ignored. */
void wm_link_generator_tile_changed(WmLinkGenerator *generator, int32_t x, int32_t z);

/* Limits what is held between runs to make later ones faster: unpacked air, 64 MB at first, and the links of borders, so that only
 * borders near a change are looked at again: none at first. Results don't depend on it.
 * returns    WM_OK, WM_ERROR_OUT_OF_MEMORY: the limit of borders is unchanged */
WmStatus wm_link_generator_limit_cache(WmLinkGenerator *generator, size_t air_bytes, size_t border_bytes);

/* Frees all that is held between runs; the limits stay.
 * returns    true if there was any */
bool wm_link_generator_trim(WmLinkGenerator *generator);

/* Bytes that the generator holds: air and what it has unpacked. */
size_t wm_link_generator_bytes(const WmLinkGenerator *generator);

/* Generates the links found at the borders of tile (x, z).
 * in         mesh: with all tiles that exist; only read. Its grid is that of the bake; with cached borders
 *            (wm_link_generator_limit_cache) the same mesh in all calls
 * out        result: zeroed on failure
 * returns    WM_OK, WM_ERROR_INVALID_ARGUMENT (outside the grid, a mesh with another grid), WM_ERROR_LIMIT, WM_ERROR_OUT_OF_MEMORY
 * cost       O(length of the tile's borders * reach), and unpacking the tiles within reach that aren't unpacked yet */
WmStatus wm_link_generator_run(WmLinkGenerator *generator, const WmMesh *mesh, int32_t x, int32_t z,
                               bool wants_refused, WmLinkResult *result);

/* True if the links of tile (x, z) may differ from those of its last run. Uses the links of borders that are held, so without them
 * every tile is outdated; a tile that never ran is.
 * in         mesh: as of wm_link_generator_run
 * cost       that of comparing the polygons of tiles that were reported as changed, once */
bool wm_link_generator_is_outdated(WmLinkGenerator *generator, const WmMesh *mesh, int32_t x, int32_t z);

/* The tile counts as one that never ran. */
void wm_link_generator_forget(WmLinkGenerator *generator, int32_t x, int32_t z);

void wm_link_result_free(WmContext *context, WmLinkResult *result);

/* The places whose links can change when tile (x, z) changes: first to last on x and z, inside the grid; its neighbours always. */
void wm_link_generator_affected(const WmLinkGenerator *generator, int32_t x, int32_t z, int32_t first[2],
                                int32_t last[2]);

/* Why no link leads from a point near a border, at most a radius and six cells away, to another: of the position of a border nearest
 * to `from` that faces `to`, up to 45 degrees. A link that saves nothing or was thinned answers; else, if the limits of no kind reach
 * the ground near `to`, the one that comes nearest to it; else the candidate that came farthest, of kinds that lead that way. The
 * height of a wall answers for all kinds if vaults may lead over half of it.
 * in         from, to: world units
 * out        *refused: reason WM_LINK_MADE if there is one, with its start and end; start, end: of the answer, not the points asked for
 * returns    as wm_link_generator_run */
WmStatus wm_link_generator_explain(WmLinkGenerator *generator, const WmMesh *mesh, const float from[3],
                                   const float to[3], WmRefusedLink *refused);

/* Whether the body passes along a link, as those of links made by hand, which nothing checks: at positions at most a cell apart across
 * it, along its trajectory, with the kind's rules. Ground at its ends isn't looked for: `tied` of wm_mesh_segment_link tells.
 * in         link: finite; of any mesh, or of none
 * out        *refused: reason WM_LINK_MADE if it passes; WM_LINK_BLOCKED, WM_LINK_NO_ROOM or WM_LINK_TILE_MISSING with the first
 *            position at which it doesn't; WM_LINK_TOO_FAR if it is longer or wider than any limit may reach
 * returns    as wm_link_generator_run
 * cost       O(width * length), and unpacking the tiles within reach that aren't unpacked yet */
WmStatus wm_link_generator_check(WmLinkGenerator *generator, const WmMesh *mesh, const WmSegmentLink *link,
                                 WmRefusedLink *refused);

WM_PUBLIC_END

#endif
