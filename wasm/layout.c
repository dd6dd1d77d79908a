/* The structs that JavaScript reads and writes in the module's memory. wasm/layout.js lets the compiler print
 * where their members lie, and writes js/runtime/layout.js from that: no offset stands in JavaScript. Not
 * part of any module.
 *
 * A struct that JavaScript needs is named here; a member that is renamed in its header is renamed in
 * JavaScript too. */
#include "bake/baker_internal.h"
#include "bake/compact/links.h"
#include "crowd/crowd.h"
#include "crowd/state/saved_crowd.h"
#include "dynamic/detour_cache/detour_cache.h"
#include "dynamic/tile_jobs.h"
#include "handles.h"
#include "mesh/links/connections.h"
#include "mesh/links/segment_links.h"
#include "mesh/locate.h"
#include "query/alternatives/alternatives.h"
#include "query/corridor/corridor.h"
#include "query/local/move.h"
#include "query/local/neighbourhood.h"
#include "query/local/random.h"
#include "query/local/raycast.h"
#include "query/local/walls.h"
#include "query/search/flood.h"
#include "query/search/path.h"
#include "query/tile_graph/tile_graph.h"
#include "query/trace.h"

#define LAYOUT(type) _Static_assert(sizeof(type) % 4 == 0, "words")

/* The module: session.h, handles.h. */
LAYOUT(Session);
LAYOUT(WmFailure);
LAYOUT(Bake);
LAYOUT(Dynamic);
LAYOUT(LinkGenerator);
LAYOUT(Switches);
/* A bake. */
LAYOUT(WmConfig);
LAYOUT(WmVoxelConfig);
LAYOUT(WmTriangles);
LAYOUT(WmBakeInput);
LAYOUT(WmSolid);
LAYOUT(WmAreaVolume);
LAYOUT(WmOffMeshConnection);
LAYOUT(WmHeightfield);
LAYOUT(WmCompactHeightfield);
LAYOUT(WmLinkBlock);
LAYOUT(WmLinks);
LAYOUT(WmDistanceField);
LAYOUT(WmRegions);
LAYOUT(WmContourSet);
LAYOUT(WmPolygonMesh);
LAYOUT(WmDetailMesh);
LAYOUT(WmTileData);
LAYOUT(WmBakeStages);
LAYOUT(WmFacing);
LAYOUT(WmBaker);
/* Links that are generated. */
LAYOUT(WmLinkKindConfig);
LAYOUT(WmLinkConfig);
LAYOUT(WmRefusedLink);
/* A mesh. */
LAYOUT(WmMeshParameters);
LAYOUT(WmMeshTotals);
LAYOUT(WmMeshTile);
LAYOUT(WmLink);
LAYOUT(WmConnection);
LAYOUT(WmSegmentLink);
LAYOUT(WmLinkOff);
LAYOUT(WmFilter);
LAYOUT(WmSwitchVolume);
LAYOUT(WmSwitchedFlags);
/* Queries. */
LAYOUT(WmNearest);
LAYOUT(WmNearestOptions);
LAYOUT(WmSearchOptions);
LAYOUT(WmPathOptions);
LAYOUT(WmCorridor);
LAYOUT(WmPath);
LAYOUT(WmAlternativeOptions);
LAYOUT(WmAlternatives);
LAYOUT(WmCorridorState);
LAYOUT(WmFloodOptions);
LAYOUT(WmFlood);
LAYOUT(WmRandom);
LAYOUT(WmRandomOptions);
LAYOUT(WmRay);
LAYOUT(WmMove);
LAYOUT(WmWall);
LAYOUT(WmSegments);
LAYOUT(WmTraceEvent);
LAYOUT(WmPolygons);
LAYOUT(WmTileGraphOptions);
LAYOUT(WmLongPathOptions);
LAYOUT(WmWaypoint);
LAYOUT(WmLongPath);
LAYOUT(WmTileGraphTotals);
LAYOUT(WmTileGraphSteps);
/* Crowds. */
LAYOUT(WmCrowdOptions);
LAYOUT(WmAgentParameters);
LAYOUT(WmCrowdView);
LAYOUT(WmAgentInfo);
LAYOUT(WmCrowdStep);
LAYOUT(WmSavedCrowdInfo);
/* Levels that change. */
LAYOUT(WmDetourCacheSummary);
LAYOUT(WmObstacleMotion);
LAYOUT(WmMovingObstacle);
LAYOUT(WmTileChange);
LAYOUT(WmTileJob);
