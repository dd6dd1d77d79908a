/* The generator of links, file by file in the order in which data flows:
 *
 *   link_config.c     defaults and checks of the configuration, and its values in cells
 *   air_tiles.c       stores the air of tiles, unpacks it, cuts volumes out of it
 *   ground.c          the gaps whose floor is ground of the mesh; points on the mesh
 *   air_window.c      columns around a tile, whichever tile they lie in (gap_lanes.h: their gaps, four at a time)
 *   borders.c         the edges of a tile's polygons that lead nowhere
 *   flight.c          trajectories, and the body that is swept along them
 *   barrier.c         columns that no flight leads over
 *   landings.c        where an agent could land, going straight away from a border
 *   candidates.c      the trajectories of each kind from one position of a border
 *   steps.c           flights that lead where agents can step
 *   runs.c            positions beside each other that land alike -> links
 *   economy.c         joins links, thins them out
 *   saving.c          drops links that cost hardly less than walking
 *   cache/            links of borders, kept between runs (border_cache.h, cache/cache_internal.h)
 *   surface_stamps.c      what decides where the ground of a tile lies, and how high (surface_stamps.h)
 *   links.c           the generator: a tile's borders -> its links
 *   explain.c         why there is no link: the links near two points, the position that answers
 *   explain_way.c     why no link leads from a position to a point
 *   check_link.c      whether a body passes along a link
 *
 * Lengths on x and z are cells, counted from the first cell of the window; heights are cell heights above the bounds' minimum.
 * Both are float32, small where it matters, since windows start near their tile. World units appear where links are written. */
#ifndef WALKMESH_LINKS_INTERNAL_H
#define WALKMESH_LINKS_INTERNAL_H

#include "bake/compact/air_code.h"
#include "base/buffer.h"
#include "base/inline.h"
#include "links/links.h"
#include "mesh/locate.h"
#include "mesh/mesh.h"

/* ---- Configuration in cells (link_config.c) ------------------------------------------------------------ */

typedef struct WmLinkLimits {
  float cell_size, cell_height;
  float radius, height, climb; /* of the agent: cells, cell heights, cell heights */
  float nearest;               /* the shortest distance of a landing: two radii, at least two cells */
  float ledge_distance;        /* the longest of drops and climbs: ledge_cells beyond two radii */
  float drop_height, climb_height;
  float jump_distance, jump_up, jump_down, jump_peak;
  float vault_distance, vault_height;
  float min_width, thinning; /* cells */
  float walk;                /* how far a walk may lead that is compared with a link; 0: none is */
  float farthest, lowest,
      highest; /* of all kinds that are on: distance, heights of a landing below and above the border */
  float top;   /* how far feet may rise above the border */
  bool has_ledges, has_jumps, has_vaults;
} WmLinkLimits;

/* The most cells on x and z that any limit may reach. */
float wm_link_farthest_cells(const WmConfig *bake);

/* How far arcs over a distance rise above the take-off where the configuration does not say. */
float wm_default_jump_peak(float distance);

void wm_link_limits(const WmLinkConfig *config, const WmConfig *bake, WmLinkLimits *limits);

/* ---- Air of tiles (air_tiles.c) ------------------------------------------------------------------------ */

/* Ground is summed up for squares of cells of a tile. */
enum { WM_GROUND_SQUARE_SHIFT = 2, WM_GROUND_SQUARE = 1 << WM_GROUND_SQUARE_SHIFT };

/* The number of squares along a side of a tile, whose length is given in cells. */
static inline int32_t wm_count_squares(int32_t cells) {
  return (cells + WM_GROUND_SQUARE - 1) >> WM_GROUND_SQUARE_SHIFT;
}

/* Heights between which all ground of a square lies; there is none if low > high. */
typedef struct WmGroundSquare {
  uint16_t low, high;
} WmGroundSquare;

/* Cells across an axis, `high` not included. */
typedef struct WmLane {
  int32_t low, high;
} WmLane;

/* Cells of the grid, `high` not included. */
typedef struct WmCellRectangle {
  int32_t low[2], high[2];
} WmCellRectangle;

/* Hashes of the polygons of a place, layer by layer (surface_stamps.c). */
typedef struct WmSurfaceHashes {
  uint64_t *polygons; /* [count] in scratch memory */
  size_t count;
  uint64_t key; /* of all, in their order; never 0 */
} WmSurfaceHashes;

/* A tile's air, unpacked, with the ground that the mesh has there. In one block, but for the air. */
typedef struct WmUnpackedAir {
  WmAir *air;                 /* a block of its own, or the base of its tile: the air without volumes */
  const uint32_t *cell_first; /* of the air */
  const WmAirGap *gaps;
  uint32_t *ground; /* [gap_count + WM_AIR_PADDING] 0: none; else 1 + polygon + 2^16 * index of the layer */
  WmGroundSquare *squares; /* [square_count] */
  uint32_t gap_count, square_count;
  uint64_t
      ground_key; /* hash of the references of the layers that `ground` holds for; 0: it may be that of others */
  uint64_t surface_key; /* of the polygons that `ground` was made from; 0: none yet */
  uint64_t volumes_key; /* of the volumes that were cut out */
  WmLane cut_rows;      /* all others have the gaps of the base */
  size_t bytes;         /* of its blocks, but for the base */
} WmUnpackedAir;

/* What a state of unpacked air was made from, besides the air of its tile. */
typedef struct WmAirStateKey {
  uint64_t surface, volumes;
} WmAirStateKey;

/* The cells of a tile in which two states differ. */
typedef struct WmAirDifference {
  WmAirStateKey keys[2]; /* without a surface: none was found yet */
  WmCellRectangle cells;
} WmAirDifference;

typedef struct WmAirTile {
  uint8_t *bytes; /* NULL: never packed yet, or the tile is missing */
  size_t byte_count;
  size_t air_bytes;       /* of the air uncompressed, without volumes */
  WmAreaVolume *blocking; /* [blocking_count] in one block with their outlines */
  size_t blocking_count;
  uint64_t volumes_key;            /* a hash of these volumes */
  WmUnpackedAir *unpacked;         /* NULL: not unpacked; the tile is missing if it has no bytes either */
  WmUnpackedAir *former;           /* with other volumes, which may come again; NULL: there is none */
  WmAir *base;                     /* of both, without volumes; NULL: it isn't kept */
  WmAirDifference difference;      /* of the states that were compared last */
  uint64_t last_use;               /* number of the run that used `unpacked` last */
  struct WmAirTile *older, *newer; /* in the order of use of unpacked air */
} WmAirTile;

typedef struct WmBorderCache WmBorderCache;

struct WmLinkGenerator {
  WmContext *context;
  WmBorderCache *border_cache; /* NULL: none are stored */
  WmLinkConfig config;
  WmConfig bake;
  WmVoxelConfig voxels;
  WmLinkLimits limits;
  int32_t tile_width, tile_depth; /* cells */
  WmAirTile **rows;               /* [tile_count_z] of [tile_count_x], NULL: none of the row has air */
  WmAirTile *oldest, *newest;     /* unpacked air in the order of use */
  uint64_t run_count;
  size_t packed_bytes, unpacked_bytes, former_count; /* tiles with a former state */
  size_t unpacked_limit;                             /* unpacked air that no run needs is freed above this */
};

/* Copies links to a result without refusals.
 * returns    WM_OK, WM_ERROR_OUT_OF_MEMORY: it is empty */
WmStatus wm_link_result_make(WmContext *context, const WmSegmentLink *links, size_t count,
                             WmLinkResult *result);

/* returns    WM_OK, WM_ERROR_INVALID_ARGUMENT if a place is outside the grid */
WmStatus wm_link_check_place(const WmLinkGenerator *generator, int32_t x, int32_t z);

/* returns    WM_OK, WM_ERROR_INVALID_ARGUMENT if the grid of a mesh isn't that of the bake */
WmStatus wm_link_check_mesh(const WmLinkGenerator *generator, const WmMesh *mesh);

/* The tile at a place inside the grid; NULL if its row is empty. */
WmAirTile *wm_air_tile(const WmLinkGenerator *generator, int32_t x, int32_t z);

static inline bool wm_air_tile_exists(const WmAirTile *tile) {
  return tile && (tile->bytes || tile->unpacked);
}

/* Packs the air of all tiles that never were.
 * returns    WM_OK, WM_ERROR_OUT_OF_MEMORY: some are packed */
WmStatus wm_air_tiles_pack(WmLinkGenerator *generator);

/* Unpacks a tile's air, or cuts its present volumes out, unless that is done, and marks it as used by the current run.
 * returns    WM_OK, WM_ERROR_CORRUPT, WM_ERROR_LIMIT, WM_ERROR_OUT_OF_MEMORY */
WmStatus wm_air_tile_unpack(WmLinkGenerator *generator, WmAirTile *tile, int32_t x, int32_t z);

/* Brings unpacked air up to date with the tile's volumes and with the mesh, and compares it with its former state.
 * in         former: key of the polygons of that state; hashes: of the present polygons
 * out        changed: the cells whose gaps differ, and those where ground came or went, lie within; empty if there are none
 * returns    false if the air isn't unpacked, has the ground of other polygons, or without memory: anything may differ */
bool wm_air_tile_refresh(WmLinkGenerator *generator, const WmMesh *mesh, int32_t x, int32_t z,
                         uint64_t former, const WmSurfaceHashes *hashes, WmCellRectangle *changed);

/* Frees all unpacked air, packed before if it never was; what there is no memory for stays.
 * returns    true if any was freed */
bool wm_air_tiles_drop_unpacked(WmLinkGenerator *generator);

/* Frees the unpacked air of tiles that the current run doesn't use, the least recently used first, down to the limit. */
void wm_air_tiles_trim(WmLinkGenerator *generator);

void wm_air_tiles_free(WmLinkGenerator *generator);

/* The grid of a tile without its border. */
void wm_link_tile_grid(const WmLinkGenerator *generator, int32_t x, int32_t z, WmGrid *grid);

/* ---- Columns around a tile (air_window.c) --------------------------------------------------------------- */

typedef enum WmViewState {
  WM_VIEW_NEW = 0, /* nothing asked for it yet */
  WM_VIEW_READY,
  WM_VIEW_MISSING,
  WM_VIEW_OUTSIDE /* of the grid: air all the way */
} WmViewState;

/* A tile of the window. */
typedef struct WmAirView {
  uint8_t state;
  int32_t offset; /* of cell (x, z) of the window: x + z * width of a tile + offset is its cell in the tile */
  const WmUnpackedAir *air;
  const WmMeshTile *newest; /* layer of the mesh there: `ground` counts from it on; NULL: none */
} WmAirView;

/* The tile of the last column of a walk or a flight: the next one most often lies in it, too. */
typedef struct WmTileCursor {
  const uint32_t *cell_first; /* of the tile's air; NULL: it has none */
  const WmAirGap *gaps;
  const uint32_t *ground;
  const WmGroundSquare *squares;
  int32_t squares_wide;
  int32_t low[2];   /* its first cell */
  uint32_t size[2]; /* cells; 0: the cursor is outside of the window */
  int32_t offset;   /* as of WmAirView */
  uint32_t view;    /* index in `views` */
  uint8_t state;    /* of the view */
} WmTileCursor;

/* The trajectories of flights (flight.c). */
typedef enum WmFlightShape {
  WM_FLIGHT_LEDGE, /* level, then straight down; climbs are its reverse */
  WM_FLIGHT_JUMP,
  WM_FLIGHT_VAULT,
  WM_FLIGHT_SHAPES
} WmFlightShape;

/* A column that may stop all flights that lead past it (barrier.c). Cells, cell heights. */
typedef struct WmBarrier {
  float point[2]; /* its centre */
  int32_t floor; /* the lowest one of its gaps but for those that end up to `below`; 0: there is no barrier */
  int32_t below;
} WmBarrier;

/* The place where a body touches something, or where a tile is missing. */
typedef struct WmObstruction {
  bool is_missing; /* a tile */
  float along;     /* cells from the start */
  float point[2];  /* cells */
  float low, high; /* heights that the body needs there */
  float headroom;  /* of the gap there */
  WmBarrier barrier;
} WmObstruction;

/* The last answer of wm_find_farthest_ground for a line along an axis: lines beside it, from the same height, have the same one. */
typedef struct WmGroundMemo {
  float outward[2], start[2];
  float floor; /* of the walk */
  float ground;
  WmLane lane; /* empty at first */
} WmGroundMemo;

/* The obstruction that stopped the last flight of a kind in a window. */
typedef struct WmStopMemo {
  WmObstruction stop;
  bool is_set;
} WmStopMemo;

/* The lowest and the highest point of the surface of a polygon, world units. */
typedef struct WmSurfaceRange {
  float low, high;
} WmSurfaceRange;

/* The polygon that is the ground of a column. */
typedef struct WmGroundPolygon {
  const WmMeshTile *tile; /* NULL: none yet */
  uint32_t polygon;
  WmSurfaceRange range;
} WmGroundPolygon;

typedef struct WmStoredCandidate WmStoredCandidate;

/* The tiles within reach of a tile. In scratch memory. */
typedef struct WmAirWindow {
  WmLinkGenerator *generator;
  const WmMesh *mesh;
  int32_t first[2], count[2]; /* places on x and z */
  float origin[2];            /* of the first cell, world units */
  int32_t cells[2];
  int32_t tile_width;          /* cells */
  WmAirView *views;            /* [count[0] * count[1]] */
  WmStatus status;             /* the first failure; columns are missing from then on */
  WmTileCursor cursor, former; /* `former`: where it was before */
  WmGroundMemo ground_memo;
  WmBarrier barrier;                      /* the last one */
  WmGroundPolygon ground_polygon;         /* the last one: the next landing most often lies on it, too */
  WmStopMemo stops[WM_FLIGHT_SHAPES + 1]; /* by shape; jumps that can't be reversed have the last one */
  const WmStoredCandidate *known;         /* [known_count] flights of these pass from the current position */
  size_t known_count;
  WmCellRectangle changed;      /* has the cells whose air changed since these flights passed */
  const WmCellRectangle *swept; /* the only cells that a sweep looks at; NULL: all */
} WmAirWindow;

typedef struct WmColumn {
  const WmAirGap *gaps;   /* [count] */
  const uint32_t *ground; /* [count] */
  uint32_t count;
  uint8_t state; /* WM_VIEW_READY, WM_VIEW_MISSING, WM_VIEW_OUTSIDE */
  uint32_t view; /* index in `views` */
} WmColumn;

/* Tile places within reach of a tile on one side of it. */
int32_t wm_link_places_around(const WmLinkLimits *limits, int32_t tile_cells);

/* Starts the window around tile (x, z), in scratch memory of the caller's mark. */
WmStatus wm_air_window_start(WmLinkGenerator *generator, const WmMesh *mesh, int32_t x, int32_t z,
                             WmAirWindow *window);

/* Prepares a new view: unpacks its air. */
void wm_air_window_open(WmAirWindow *window, uint32_t view);

/* Moves the cursor to the tile of a cell. Outside of the window it is missing. */
void wm_air_window_move(WmAirWindow *window, int32_t x, int32_t z);

/* Moves the cursor to the tile of a cell, unless it is there.
 * returns    the last cell of the row, up to `last`, that lies there, too */
WM_INLINE int32_t wm_air_window_reach(WmAirWindow *window, int32_t x, int32_t last, int32_t z) {
  const WmTileCursor *cursor = &window->cursor;
  if ((uint32_t)x - (uint32_t)cursor->low[0] >= cursor->size[0] ||
      (uint32_t)z - (uint32_t)cursor->low[1] >= cursor->size[1])
    wm_air_window_move(window, x, z);
  if (cursor->size[0] == 0) return x;
  const int32_t end = cursor->low[0] + (int32_t)cursor->size[0] - 1;
  return end < last ? end : last;
}

/* The column of a cell. Outside of the window it is missing. */
WM_INLINE WmColumn wm_air_column(WmAirWindow *window, int32_t x, int32_t z) {
  wm_air_window_reach(window, x, x, z);
  const WmTileCursor *cursor = &window->cursor;
  if (!cursor->cell_first) return (WmColumn){.state = cursor->state, .view = cursor->view};
  const uint32_t *cell = cursor->cell_first + (x + z * window->tile_width + cursor->offset);
  const uint32_t first = cell[0];
  return (WmColumn){cursor->gaps + first, cursor->ground + first, cell[1] - first, WM_VIEW_READY,
                    cursor->view};
}

/* Heights between which ground is looked for up to a distance. */
typedef struct WmGroundRange {
  float distance; /* cells */
  float low, high;
} WmGroundRange;

/* The farthest place along a line at which ground may lie, cells; less than `from` if there is none. Missing tiles may have ground.
 * in         start, outward, from: the line, cells; ranges: the second one lies beyond the first, and may be shorter
 * out        lane: of lines along an axis: all in it that start at the same place along the axis have the same answer
 * cost       O(squares along the line) */
float wm_find_farthest_ground(WmAirWindow *window, const float start[2], const float outward[2], float from,
                              const WmGroundRange ranges[2], WmLane *lane);

/* True if heights `low` to `high` lie in one gap of a column. */
WM_INLINE bool wm_column_fits(const WmColumn *column, float low, float high) {
  if (column->count == 0) return column->state != WM_VIEW_MISSING;
  for (uint32_t k = column->count; k-- > 0;) {
    if ((float)column->gaps[k].floor > low) continue;
    return column->gaps[k].ceiling == WM_OPEN_CEILING || (float)column->gaps[k].ceiling >= high;
  }
  return false;
}

/* ---- Ground (ground.c) --------------------------------------------------------------------------------- */

/* Finds the gaps of a tile's unpacked air whose floor is ground of the mesh in tile (x, z), unless it has the ground of these polygons.
 * in         hashes: of the polygons; NULL: they are computed
 * returns    WM_OK, WM_ERROR_OUT_OF_MEMORY */
WmStatus wm_air_mark_ground(const WmLinkGenerator *generator, const WmMesh *mesh, const WmAirTile *tile,
                            int32_t x, int32_t z, const WmSurfaceHashes *hashes);

/* A hash of the references of the layers of a place: never 0. */
uint64_t wm_hash_layers(const WmMesh *mesh, int32_t x, int32_t z);

/* The range of a polygon's surface. */
WmSurfaceRange wm_surface_range(const WmMeshTile *tile, uint32_t polygon);

/* The height of a polygon's surface at a point: of a level one that of its range. */
static inline float wm_surface_height(const WmMeshTile *tile, uint32_t polygon, WmSurfaceRange range,
                                      const float point[3]) {
  /* As interpolation gives it, -0 becomes 0. */
  return range.low == range.high ? range.low + 0.0f : wm_tile_height(tile, polygon, point);
}

/* Moves a point onto the mesh.
 * in         ground: of the column in which the point lies; point: world units, y near the surface
 * out        point[1]
 * returns    true if the point lies on the mesh */
bool wm_find_ground(WmAirWindow *window, uint32_t view, uint32_t ground, float point[3]);

/* ---- Borders (borders.c) ------------------------------------------------------------------------------- */

/* A straight part of a tile's outline, at least a cell long. */
typedef struct WmBorder {
  const WmMeshTile *tile;
  uint32_t polygon;
  float first[3], second[3]; /* world units */
  float outward[2];          /* a unit vector on x and z, away from the polygon */
  float length;              /* cells */
} WmBorder;

/* Appends the borders of a tile's polygons, by polygon and edge.
 * in/out     borders: WmBorder [*count] */
WmStatus wm_find_borders(WmContext *context, const WmMeshTile *tile, float cell_size, WmBuffer *borders,
                         size_t *count);

/* ---- Flights (flight.c) -------------------------------------------------------------------------------- */

/* A trajectory of the feet: from a point of a border straight away from it. */
typedef struct WmFlight {
  uint8_t shape;
  float start[2], outward[2]; /* cells */
  float length;               /* cells */
  float heights[2];           /* of the feet at start and end */
  float peak;                 /* above the higher one; 0 for ledges */
} WmFlight;

/* Of the body: at least as far as from a cell's centre to its corner. A body meets the columns whose centres lie within. */
float wm_flight_radius(const WmLinkLimits *limits);

/* Sweeps the agent's body along a flight.
 * out        stop: unchanged if nothing stops it
 * returns    true if it passes */
bool wm_flight_sweep(WmAirWindow *window, const WmFlight *flight, WmObstruction *stop);

/* True if what stopped another flight doesn't stop this one.
 * in/out     stop: of the other flight; then of this one, if it is stopped */
bool wm_flight_passes(WmAirWindow *window, const WmFlight *flight, WmObstruction *stop);

/* Heights from the feet to the head that a body needs while its centre moves from `from` to `to` along a flight. */
typedef struct WmFlightRange {
  float low, high;
} WmFlightRange;

/* The constants of a flight that every column needs. */
typedef struct WmFlightPath {
  const WmFlight *flight;
  float height, climb, lifted; /* of the agent; near both ends it may step over things up to the climb */
  float rise, time, apex; /* of a jump: speed at its start, duration, distance of its top; gravity is 1 */
} WmFlightPath;

WmFlightPath wm_flight_path(const WmLinkLimits *limits, const WmFlight *flight);
WmFlightRange wm_flight_range(const WmFlightPath *path, float from, float to);

/* Finds the height over which a vault must lead: the highest floor below `limit` in the columns that the body meets, with a
 * ceiling under which it fits.
 * in         low: the lower end, where the body begins
 * out        *top; stop: where no such floor lies below the limit
 * returns    false if there is such a column */
bool wm_flight_find_top(WmAirWindow *window, const WmFlight *flight, float low, float limit, float *top,
                        WmObstruction *stop);

/* ---- Barriers (barrier.c) ------------------------------------------------------------------------------ */

/* The height above which the floors of a barrier lie, at least. Lines from a height, cell heights. */
float wm_lowest_barrier(const WmLinkLimits *limits, float floor);

/* The barrier of a column.
 * in         low: gaps that end up to this height are out of reach */
WmBarrier wm_make_barrier(const WmColumn *column, int32_t x, int32_t z, float low);

/* Lowers the lengths beyond which all flights of each shape along a line are stopped, cells.
 * in         start, outward: the line, cells; floor: its height, cell heights
 * returns    true if any is less now */
bool wm_heed_barrier(const WmLinkLimits *limits, const WmBarrier *barrier, const float start[2],
                     const float outward[2], float floor, float lengths[WM_FLIGHT_SHAPES]);

/* ---- Landings (landings.c) ----------------------------------------------------------------------------- */

enum { WM_LANDING_LIMIT = 8 };

/* Whether a sample lies on the mesh: found out when a flight first leads there. */
typedef enum WmSampleState { WM_SAMPLE_NEW = 0, WM_SAMPLE_ON_MESH, WM_SAMPLE_OFF_MESH } WmSampleState;

/* A place of the line away from a border that lies over ground: flights are tried to the first ones of a landing and every fourth. */
typedef struct WmLandingSample {
  int32_t step; /* half cells from the border */
  int32_t next; /* index of the next one of its landing; -1: none */
  uint32_t view, ground;
  float floor;
  float height;  /* of the mesh, if `state` says so; cell heights */
  uint8_t state; /* WmSampleState */
  bool is_tried; /* a flight may land there */
} WmLandingSample;

/* Ground that continues along the line. */
typedef struct WmLanding {
  int32_t first, last;   /* samples */
  int32_t count;         /* of places on it, samples or not */
  int32_t farthest_step; /* of the last place */
  float farthest_floor;
  float floors[2]; /* the lowest and the highest */
} WmLanding;

/* A position of a border, and the line straight away from it. */
typedef struct WmWalk {
  float point[3]; /* of the border, world units */
  float start[2]; /* cells */
  float outward[2];
  float floor;        /* cell heights */
  float ground[2];    /* the lowest and highest floor of a landing, cell heights */
  int32_t step_count; /* half cells; less than the limit if a wall ends the line, or no ground lies beyond */
  float farthest;     /* cells: nothing beyond was looked at */
  float lengths[WM_FLIGHT_SHAPES]; /* cells: no longer flight of the shape is possible */
  bool is_beside;                  /* a barrier beside the line may have stopped some */
  int32_t level_count;             /* steps over which the body moves level */
  bool is_missing;                 /* a missing tile ends the line */
  WmLandingSample *samples;
  int32_t sample_count;
  WmLanding landings[WM_LANDING_LIMIT];
  int32_t landing_count;
} WmWalk;

/* Allocates in scratch memory. */
WmStatus wm_walk_start(WmContext *context, const WmLinkLimits *limits, WmWalk *walk);

/* Follows the line from a point of a border, until a wall or the limits.
 * in         wants_refused: false: the line may end before ground where no flight could land, and has samples only where flights are
 *            tried */
void wm_walk_follow(WmAirWindow *window, const WmBorder *border, const float point[3], bool wants_refused,
                    WmWalk *walk);

/* Positions of a border between two of its points. */
typedef struct WmBorderPart {
  const WmBorder *border;
  float first[2], second[2]; /* cells */
  float low, high;           /* heights of the border, cell heights */
} WmBorderPart;

/* True if ground may lie within reach of a line straight away from a part of a border: quicker than following each line.
 * cost       O(squares within reach) */
bool wm_may_reach_ground(WmAirWindow *window, const WmBorderPart *part);

/* ---- Candidates (candidates.c) ------------------------------------------------------------------------- */

enum { WM_CANDIDATE_SLOTS = 4 };

/* A flight from a position that nothing stops. */
typedef struct WmLinkCandidate {
  int32_t step;     /* half cells */
  float heights[2]; /* of both ends, cell heights */
  float peak;       /* above the higher end, cell heights */
  uint8_t kinds;    /* bits of WmSegmentLinkKind that it can be */
  bool is_reversible;
  bool is_used; /* it is part of a run */
} WmLinkCandidate;

/* A flight from a position that nothing stops: from the position's height. */
typedef struct WmPassingFlight {
  int32_t step; /* 0: none */
  float height; /* of its end */
  float peak;
} WmPassingFlight;

/* The candidates of a position, by shape, the nearest landing first. */
typedef struct WmPositionCandidates {
  WmLinkCandidate items[WM_FLIGHT_SHAPES][WM_CANDIDATE_SLOTS];
  WmPassingFlight runs[WM_FLIGHT_SHAPES]
                      [WM_CANDIDATE_SLOTS]; /* of each, with the distance and peak of its run */
  uint8_t counts[WM_FLIGHT_SHAPES];
  WmRefusedLink refused[WM_SEGMENT_LINK_KINDS]; /* only if asked for */
} WmPositionCandidates;

/* The longest distance of a shape's flights, cells. */
float wm_flight_distance(const WmLinkLimits *limits, WmFlightShape shape);

/* Tries every kind of flight to every landing of a walk. */
void wm_find_candidates(WmAirWindow *window, const WmWalk *walk, bool wants_refused,
                        WmPositionCandidates *candidates);

/* Finds the ground at the end of a flight of a given length from a position.
 * in/out     candidate: step, kinds and the height near which the ground lies are given; the heights are set
 * returns    false if there is none, or other kinds lead there */
bool wm_land_candidate(WmAirWindow *window, const WmBorder *border, const float point[3], WmFlightShape shape,
                       WmLinkCandidate *candidate);

/* The highest peak that the limits allow between a candidate's heights, cell heights above the higher one; may be negative. */
float wm_flight_highest_peak(const WmLinkLimits *limits, WmFlightShape shape,
                             const WmLinkCandidate *candidate);

/* True if the peak of a candidate that has landed keeps the limits, and the body passes. */
bool wm_sweep_candidate(WmAirWindow *window, const WmBorder *border, const float point[3],
                        WmFlightShape shape, WmLinkCandidate *candidate);

/* ---- Steps (steps.c) ----------------------------------------------------------------------------------- */

/* True if agents can step along a flight, although the mesh has holes: the floor has no step above the climb, room for the body above it,
 * and ground of the mesh nowhere farther than two radii apart.
 * in         point: of the border, world units; step: length of the flight, half cells; ground lies there
 * cost       O(step), less where a hole is wide */
bool wm_can_step(WmAirWindow *window, const WmBorder *border, const float point[3], int32_t step);

/* ---- Runs and economy (runs.c, economy.c) -------------------------------------------------------------- */

/* How far from a border its links depend on anything, cells. */
typedef struct WmBorderReach {
  float farthest; /* the longest of the lines away from the border */
  float aside;    /* columns within it of these lines, besides those on them: 0 if nothing was swept */
  float
      landing; /* where on these lines the first flight lands: polygons count from there on; INFINITY: none does */
} WmBorderReach;

/* No flight from a position lands. */
#define WM_NEVER_LANDS UINT16_MAX

/* The same of one position: its candidates, and its part in the border's links. Half cells of its line. */
typedef struct WmPositionReach {
  uint16_t farthest, landing; /* WM_NEVER_LANDS: nowhere */
  bool is_swept;              /* columns beside the line count, too */
  bool has_candidates;        /* and lines up to WM_WIDENED_CELLS beside it */
  bool is_changed;            /* in the cache: something within reach is other than it was */
} WmPositionReach;

/* Links of the least width are at most as wide, cells. */
#define WM_WIDENED_CELLS 1.5f

/* A candidate of a position, stored to be used again. */
struct WmStoredCandidate {
  int32_t position;
  uint8_t shape;
  bool is_changed; /* in the cache: something may stop its flights now */
  WmLinkCandidate candidate;
  WmPassingFlight run; /* with the distance and peak of its run */
};

/* What positions of a border found before something changed. */
typedef struct WmFormerPositions {
  const WmStoredCandidate *candidates; /* [count] by position, in the order in which they were found */
  size_t count;
  const WmPositionReach *reaches; /* of all positions: those that are changed must be followed again */
  WmCellRectangle changed;        /* cells of the grid: has those whose air changed since */
} WmFormerPositions;

/* The links of a tile while they are collected. */
typedef struct WmLinkList {
  WmBuffer links; /* WmSegmentLink [count] */
  size_t count;
  WmBuffer refused; /* WmRefusedLink [refused_count] */
  size_t refused_count;
  WmBuffer stored; /* WmStoredCandidate [stored_count] of all borders, if `stores` */
  size_t stored_count;
  WmBuffer reaches; /* WmPositionReach [reach_count] of all positions of all borders, if `stores` */
  size_t reach_count;
  bool stores;
} WmLinkList;

/* Appends the links of a border.
 * in         former: of the same border; NULL: all positions are followed
 * out        reach: only if the list stores positions
 *
 * They follow from the border, from its polygon's heights, and from columns and landings within reach. */
WmStatus wm_border_links(WmAirWindow *window, const WmBorder *border, WmWalk *walk, bool wants_refused,
                         const WmFormerPositions *former, WmLinkList *list, WmBorderReach *reach);

/* Drops links if walking costs at most min_saving times as much: by a search on the mesh. */
WmStatus wm_link_saving(WmLinkGenerator *generator, const WmMesh *mesh, bool wants_refused, WmLinkList *list);

/* Joins links that continue each other, then drops those that wider ones make needless. */
WmStatus wm_link_economy(WmLinkGenerator *generator, WmLinkList *list, bool wants_refused);

/* ---- Explanations (explain_way.c) ---------------------------------------------------------------------- */

/* A way that no link leads: from a position of a border to a point. */
typedef struct WmLinkWay {
  WmBorder border;
  float point[3];   /* of the border */
  int32_t place[2]; /* of its tile */
  const float *to;
  bool is_climb; /* the position is the upper end: a climb is found there */
} WmLinkWay;

/* A landing of the line away from the border. */
typedef struct WmWayLanding {
  int32_t number; /* negative: none */
  float point[3]; /* its near side */
} WmWayLanding;

/* Finds the landing on whose ground the point lies, however far away it is.
 * returns    WM_OK, WM_ERROR_LIMIT, WM_ERROR_OUT_OF_MEMORY */
WmStatus wm_find_way_landing(WmLinkGenerator *generator, const WmMesh *mesh, const WmLinkWay *way,
                             WmWayLanding *landing);

/* Explains the way.
 * out        *refused: unchanged if the line leads elsewhere
 * returns    as wm_find_way_landing */
WmStatus wm_explain_way(WmLinkGenerator *generator, const WmMesh *mesh, const WmLinkWay *way,
                        WmRefusedLink *refused);

#endif
