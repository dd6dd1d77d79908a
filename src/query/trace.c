/* Traces of searches. See trace.h. */
#include "query/query_internal.h"

void wm_query_trace(WmQuery *query, const WmTraceSink *sink) {
  query->trace = sink ? *sink : (WmTraceSink){0};
}

WM_COLD void wm_query_tell(const WmQuery *query, WmTraceKind kind, const WmMeshTile *tile, uint32_t polygon,
                           uint32_t link) {
  WmTraceEvent event = {.polygon = tile->ref + polygon, .link = link, .kind = kind};
  if (kind != WM_TRACE_EXPANDED) {
    const WmLink *refused = tile->links + link;
    event.target = wm_mesh_tile(query->mesh, refused->slot)->ref + refused->polygon;
  }
  query->trace.receive(query->trace.user, &event);
}
