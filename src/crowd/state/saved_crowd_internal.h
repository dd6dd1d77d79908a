/* Layout of saved crowds, shared by the files of this folder. See docs/formats.md.
 *
 *   saved_crowd.c     writes and reads a crowd
 *   saved_fields.c    the tables of fields; the codec of fields
 *   saved_places.c    polygons by the place of their tile; versions of meshes
 *   saved_planning.c  path requests, searches, flow fields, islands, costs of polygons
 *
 * One function visits all parts of a crowd, for counting bytes, writing and reading: a codec does one of the three with
 * each field. Fields lie in the order of the tables, without gaps, little-endian.
 *
 * New state: add its field to the table of its struct, in the order of declaration (a test compares them), and
 * raise WM_SAVED_CROWD_VERSION. */
#ifndef WALKMESH_CROWD_SAVED_CROWD_INTERNAL_H
#define WALKMESH_CROWD_SAVED_CROWD_INTERNAL_H

#include "crowd/crowd_internal.h"
#include "crowd/state/saved_crowd.h"

/* "WALKCRWD" */
#define WM_SAVED_CROWD_MAGIC UINT64_C(0x445752434b4c4157)
enum { WM_SAVED_CROWD_VERSION = 1 };

typedef struct WmSavedCrowdHead {
  uint64_t magic;
  uint32_t version, mesh_count;
  uint64_t byte_count; /* of the whole file */
  uint64_t steps;
  uint32_t agent_count, number_count, free_count; /* free_count: numbers that agents will have next */
  uint32_t obstacle_count, focus_count, filter_count;
  uint32_t request_count, demand_count; /* path requests; keys of path requests */
} WmSavedCrowdHead;

/* A tile, a connection made at run time, or a set of segment links, to which polygons of the crowd belong. */
typedef enum WmSavedTileKind { WM_SAVED_GROUND, WM_SAVED_CONNECTION, WM_SAVED_LINKS } WmSavedTileKind;

typedef struct WmSavedTile {
  uint32_t kind;
  int32_t x, z;
  uint32_t number; /* layer of the tile; number of the set; of a connection: its number in their order */
  uint32_t polygon_count, zero;
  uint64_t hash; /* of its polygons */
} WmSavedTile;

_Static_assert(sizeof(WmSavedCrowdHead) == 64 && sizeof(WmSavedTile) == 32, "stored as they lie in memory");

/* A mesh of the crowd. */
typedef struct WmSavedMesh {
  const WmMesh *mesh;
  uint64_t hash;      /* of all tiles, with flags and areas */
  uint64_t *hashes;   /* [slot] of each tile's polygons */
  uint32_t *numbers;  /* [slot] writing: the number of its entry in `tiles`, from 1; 0: none yet */
  uint32_t *orders;   /* [slot] of connections: their place in `connections` */
  WmRef *connections; /* [connection_count] in the order they were made */
  size_t connection_count;
  WmSavedTile *tiles; /* [tile_count] */
  uint32_t tile_count;
  WmRef *refs;  /* [tile_count] reading: of the tile in this mesh; 0: it is missing, or has other polygons */
  bool is_same; /* nothing of the mesh has changed since the crowd was written */
} WmSavedMesh;

typedef struct WmSavedCodec {
  WmContext *context;
  WmCrowd *crowd; /* unchanged while writing */
  bool reads;
  const uint8_t *source; /* reading */
  uint8_t *bytes;        /* writing; NULL: bytes are only counted */
  size_t at, end;        /* end: reading */
  WmSavedMesh *meshes;   /* [mesh_count] */
  uint32_t mesh_count;
  WmSavedMesh *on; /* the mesh of polygons and versions */
  WmStatus status; /* the first failure: nothing is read or written any more, and fields become 0 */
} WmSavedCodec;

/* The forms of fields. */
typedef enum WmSavedKind {
  WM_SAVED_BYTE,
  WM_SAVED_BOOL,
  WM_SAVED_HALF, /* 16 bits */
  WM_SAVED_WORD,
  WM_SAVED_LONG,   /* 64 bits of an integer or a double */
  WM_SAVED_PLACE,  /* float: a coordinate, within WM_FARTHEST and rounding */
  WM_SAVED_FINITE, /* float, up to 1e18 */
  WM_SAVED_NUMBER, /* float, may be infinite */
  WM_SAVED_POLYGON,
  WM_SAVED_GROUND_POLYGON,
  WM_SAVED_MESH_VERSION /* the number of changes since then */
} WmSavedKind;

/* A member of a struct: one or more of its kind. */
typedef struct WmSavedField {
  uint16_t offset, byte_count;
  uint8_t kind; /* WmSavedKind */
} WmSavedField;

typedef struct WmSavedFields {
  const WmSavedField *fields;
  size_t count, record_bytes;
} WmSavedFields;

/* Tables of the structs that are saved. Of WmAgentRecord all but `parameters`; of a corridor only `changes` and `checked`. */
typedef enum WmSavedTable {
  WM_TABLE_OPTIONS,
  WM_TABLE_PARAMETERS,
  WM_TABLE_RECORD,
  WM_TABLE_OBSTACLE,
  WM_TABLE_FILTER,
  WM_TABLE_MESH,
  WM_TABLE_FIELD,
  WM_TABLE_ISLANDS,
  WM_TABLE_REQUEST,
  WM_TABLE_SEARCH,
  WM_TABLE_CROWD,
  WM_TABLE_COUNT
} WmSavedTable;

/* saved_fields.c */
extern const WmSavedFields WM_SAVED_TABLES[WM_TABLE_COUNT];

/* Codes all fields of a struct, or items of one kind. */
void wm_saved_code(WmSavedCodec *codec, void *record, WmSavedTable table);
void wm_saved_code_items(WmSavedCodec *codec, void *items, size_t count, WmSavedKind kind);

/* Reading: fails unless the rest of the file has `count` items of at least `item_bytes`: before memory is allocated. */
void wm_saved_expect(WmSavedCodec *codec, uint64_t count, size_t item_bytes);
/* Reading: fails with WM_ERROR_CORRUPT, unless it has failed already; `what` is a literal. */
void wm_saved_fail(WmSavedCodec *codec, const char *what);
/* Notes a status; of other failures than a lack of memory makes WM_ERROR_CORRUPT. */
void wm_saved_note(WmSavedCodec *codec, WmStatus status, const char *what);

/* saved_places.c: hashes the meshes; before writing and before reading.
 * returns    WM_OK, WM_ERROR_OUT_OF_MEMORY; memory is scratch of the caller's mark */
WmStatus wm_saved_open_meshes(WmSavedCodec *codec);
/* Codes the tiles that are referred to. */
void wm_saved_code_tiles(WmSavedCodec *codec);
/* A polygon as it is stored, and back.
 * out        code 0 is no polygon */
uint64_t wm_saved_name_polygon(const WmSavedCodec *codec, WmRef polygon);
WmRef wm_saved_find_polygon(WmSavedCodec *codec, uint64_t code);
enum { WM_SAVED_CONNECTION_BIT = 62 }; /* set by corridors */

/* saved_planning.c: codes the queue of path requests, and the demand for targets; searches, flow fields and islands; cost factors of
 * single polygons of the mesh `codec->on`, in a table that reading makes (NULL: none). */
void wm_saved_code_requests(WmSavedCodec *codec, WmSavedCrowdHead *head);
void wm_saved_code_planning(WmSavedCodec *codec);
void wm_saved_code_costs(WmSavedCodec *codec, WmCosts **costs);

#endif
