/* The C library: navigation meshes from triangles, and queries on them.
 *
 * This header includes all public headers; docs/c-api.md has a program that uses them. Usual order:
 *
 *   1. wm_context_create                        the memory and the last error of all further calls
 *   2. wm_config_default, then wm_bake_mesh     a level of triangles -> a mesh
 *      or wm_mesh_read                          the bytes of a file   -> a mesh
 *   3. wm_query_create, then wm_query_...       paths, nearest points, rays, ...
 *   4. wm_mesh_write                            a mesh -> the bytes of a file
 *   5. wm_..._destroy in the reverse order, wm_context_destroy last
 *
 *   base/status.h, base/context.h       statuses; the context: allocator, last error, scratch memory
 *   bake/config.h                       configuration: cell size, agent, partition, ...
 *   bake/bake.h                         the baker: tile by tile, stage by stage
 *   bake/stages.h, bake/fields.h        the stages as functions, and the arrays between them
 *   mesh/mesh.h                         tiles, polygons, references, flags and areas
 *   mesh/formats/formats.h              .walkmesh files, and Detour's
 *   mesh/links/connections.h            off-mesh connections made at run time
 *   mesh/links/segment_links.h          drops, jumps, climbs and vaults: wide links between borders
 *   links/links.h, links/link_config.h  generates them: which ones, and from what
 *   query/query.h, query/filter.h       nearest points, heights; flags and costs
 *   query/search/path.h                 paths; search.h, straighten.h: their two halves
 *   query/trace.h                       what searches decide, told to a sink
 *   query/alternatives/alternatives.h   other ways between two points
 *   query/search/flood.h, islands.h     reachable polygons, connected components
 *   query/search/flow_field.h           corridors from everywhere to one point
 *   query/tile_graph/tile_graph.h       long ways over tiles, also over tiles that aren't loaded
 *   query/local/...                     rays, moves, walls, overlaps, neighbourhoods, random points
 *   query/corridor/corridor.h           the corridor that one agent follows
 *   query/switches/switches.h           doors
 *   query/batch.h                       many queries in one call
 *   crowd/crowd.h                       many agents that avoid each other
 *   crowd/state/saved_crowd.h           a crowd as bytes
 *   dynamic/dynamic.h                   obstacles; obstacles/motion.h: those that move
 *   dynamic/dynamic_links.h             generated links that follow a dynamic mesh
 *   dynamic/tile_jobs.h                 rebuilding tiles in other threads
 *   dynamic/state/saved_state.h         a dynamic mesh as bytes
 *   dynamic/detour_cache/...            Detour's tile caches
 *
 * Conventions: a function that can fail returns a WmStatus, WM_OK (0) if it succeeded; wm_context_error
 * explains the last failure. Results are blocks of the context: each has one free function. y is up, triangles
 * are counter-clockwise seen from above, and lengths are world units.
 *
 * Threads: a context and all objects made with it belong to one thread at a time. Meshes can be read by
 * several threads, each with a context and queries of its own. */
#ifndef WALKMESH_WALKMESH_H
#define WALKMESH_WALKMESH_H

#include "base/content_hash.h"
#include "base/context.h"
#include "base/inline.h"
#include "base/moving_obstacle.h"
#include "base/public.h"
#include "base/status.h"
#include "base/tile_format.h"

#include "bake/bake.h"
#include "bake/config.h"
#include "bake/fields.h"
#include "bake/stages.h"

#include "mesh/formats/formats.h"
#include "mesh/links/connections.h"
#include "mesh/links/segment_links.h"
#include "mesh/mesh.h"

#include "query/alternatives/alternatives.h"
#include "query/batch.h"
#include "query/corridor/corridor.h"
#include "query/filter.h"
#include "query/local/move.h"
#include "query/local/neighbourhood.h"
#include "query/local/overlap.h"
#include "query/local/random.h"
#include "query/local/raycast.h"
#include "query/local/walls.h"
#include "query/query.h"
#include "query/search/flood.h"
#include "query/search/flow_field.h"
#include "query/search/islands.h"
#include "query/search/path.h"
#include "query/search/search.h"
#include "query/search/straighten.h"
#include "query/switches/switches.h"
#include "query/tile_graph/tile_graph.h"
#include "query/trace.h"

#include "links/link_config.h"
#include "links/links.h"

#include "crowd/crowd.h"
#include "crowd/state/saved_crowd.h"

#include "dynamic/detour_cache/detour_cache.h"
#include "dynamic/dynamic.h"
#include "dynamic/dynamic_links.h"
#include "dynamic/obstacles/motion.h"
#include "dynamic/state/saved_state.h"
#include "dynamic/tile_jobs.h"

WM_PUBLIC_BEGIN

/* Bakes all tiles of a level into a mesh; bake/bake.h has the steps one by one. The mesh's origin is the
 * minimum of the level's bounds; its configuration is empty (wm_mesh_set_configuration stores one).
 * in         config, input: read during the call only
 * returns    WM_OK, also if nothing is walkable: the mesh has no tiles; as wm_baker_create, wm_baker_step and
 *            wm_mesh_add_tile. *mesh is NULL on failure
 * memory     the mesh, and the arrays of one tile at a time */
WmStatus wm_bake_mesh(WmContext *context, const WmConfig *config, const WmBakeInput *input, WmMesh **mesh);

WM_PUBLIC_END

#endif
