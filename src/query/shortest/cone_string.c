/* The string of a search in cones: its corridor, from the cone that has arrived back to the start, and its corners.
 *
 * A string turns where the root of a cone isn't that of the cone before: at an end of the portal that one of the two comes through.
 * So the points of the path are known without pulling the string once more (WM_QUERY_TURNS). */
#include "query/shortest/shortest_internal.h"

enum { LEFT = WM_CONE_LEFT, RIGHT = WM_CONE_RIGHT };

enum { FIRST_POLYGONS = 64 /* of a corridor: room for them; twice as much where there are more */ };

/* Finds the polygons that the string passes in the patch of a cone.
 * in         left: the last one
 * out        way [WM_PATCH_LIMIT]
 * returns    their number */
static WM_NOINLINE uint32_t find_way(const WmSearchState *state, const WmCone *cone, uint32_t left,
                                     uint32_t *way) {
  return wm_patch_way(wm_cones_tile(state, cone->slot)->patches, cone->polygon, left, way);
}

/* The link between two polygons of a patch. */
static uint32_t find_joint(const WmMeshTile *tile, uint32_t from, uint32_t to) {
  uint32_t i = tile->link_first[from];
  while (tile->links[i].polygon != to || tile->links[i].slot != tile->slot) i++;
  return i;
}

/* True if the string turns at an end of the portal that a cone comes through.
 * out        *is_late: true if paths don't pass that end, as the search has limited the portal; else unchanged */
static bool is_turn(const WmSearchState *state, const WmCone *cone, uint32_t side, const float at[2],
                    bool *is_late) {
  if (cone->kind != WM_CONE_PORTAL || !wm_cone_has_end(cone, (int)side) || cone->rays[side] != at[0] ||
      cone->rays[2 + side] != at[1])
    return false;
  const WmMeshTile *tile = wm_mesh_tile(state->query->mesh, wm_cones_of(state)[cone->parent].slot);
  const float *end = tile->link_portals + 6 * (size_t)cone->link + 3 * (size_t)side;
  *is_late |= end[0] != at[0] || end[2] != at[1];
  return true;
}

/* The corner between a cone and the next one of the string, whose root is another, as in WM_QUERY_TURNS.
 * in         portals: the numbers of those that both come through
 * out        *is_late: as is_turn */
static uint32_t find_turn(const WmSearchState *state, const WmCone *cone, const WmCone *next,
                          const float at[2], const size_t portals[2], bool *is_late) {
  for (uint32_t side = LEFT; side <= RIGHT; side++) {
    if (is_turn(state, cone, side, at, is_late)) return 2 * (uint32_t)portals[0] + side;
  }
  for (uint32_t side = LEFT; side <= RIGHT; side++) {
    if (is_turn(state, next, side, at, is_late)) return 2 * (uint32_t)portals[1] + side;
  }
  return WM_UNKNOWN_TURNS;
}

/* The cost of crossing a segment link. */
static double find_crossing_cost(const WmSearchState *state, const WmMeshTile *set, uint32_t polygon) {
  const float unit = wm_filter_unit_cost(state->filter, set, polygon);
  return (double)(set->segments[polygon].cost * unit) / (double)state->cones.ground_cost;
}

/* The root of a cone over a segment link before it was laid over: that of the cone before it, or an end of that one's portal. Their costs
 * tell which. */
static void find_root_before(const WmCone *before, double cost, float root[2]) {
  const WmConePair rays = wm_cone_rays(before);
  double least = fabs(cost - before->cost);
  memcpy(root, before->root, sizeof before->root);
  for (int side = LEFT; side <= RIGHT; side++) {
    if (!wm_cone_has_end(before, side)) continue;
    const double off = fabs(cost - before->cost - wm_cone_length(wm_cone_side(rays, side)));
    if (!(off < least)) continue;
    least = off;
    root[0] = before->rays[side];
    root[1] = before->rays[2 + side];
  }
}

/* A corridor that is written from its end: the last elements of arrays [room]. */
typedef struct CorridorWriter {
  WmRef *polygons;
  uint32_t *links, *turns; /* turns: WM_QUERY_TURNS, with portals counted in the array */
  size_t room;
  size_t count, turn_count;
  bool has_turns; /* all corners are known */
  bool is_late;   /* as WM_LATE_TURNS */
} CorridorWriter;

/* Adds a corner. */
static void write_turn(CorridorWriter *writer, uint32_t turn) {
  writer->has_turns &= turn != WM_UNKNOWN_TURNS && writer->turn_count < writer->room;
  if (writer->has_turns) writer->turns[writer->room - ++writer->turn_count] = turn;
}

/* Finds the corner before a cone that comes over a connection or a segment link, and adds the corners there.
 * in         child: that cone, or the record of the link; over: the cone over the link, or NULL; behind: the number of the portal that it
 *            comes through
 * out        root: where the string comes from */
static WM_COLD void write_crossing(const WmSearchState *state, CorridorWriter *writer, const WmCone *child,
                                   const WmCone *over, size_t behind, float root[2]) {
  writer->is_late = true;
  if (over && over->kind == WM_CONE_CROSSED) {
    const WmMeshTile *set = wm_mesh_tile(state->query->mesh, child->slot);
    const WmCone *before = wm_cones_of(state) + child->parent;
    find_root_before(before, over->cost - find_crossing_cost(state, set, child->polygon), root);
    return;
  }
  write_turn(writer, 2 * (uint32_t)behind);
  memcpy(root, (over ? over : child)->rays + 1, 2 * sizeof *root);
}

/* The tile of a slot; known: a tile, often that one. */
WM_INLINE const WmMeshTile *find_tile(const WmSearchState *state, uint32_t slot, const WmMeshTile *known) {
  return slot == known->slot ? known : wm_mesh_tile(state->query->mesh, slot);
}

/* Writes the polygons of the corridor to a cone that has arrived, and the links between them; for links onto segment links, how the
 * string crosses these.
 * returns    false: there is too little room */
static bool write_corridor(const WmSearchState *state, uint32_t arrived, CorridorWriter *writer) {
  const WmCone *cones = wm_cones_of(state), *child = cones + arrived, *over = NULL;
  uint32_t next = WM_NO_LINK, way[WM_PATCH_LIMIT];
  uint32_t left = child->polygon;
  size_t at = writer->room;
  const WmMeshTile *tile = wm_mesh_tile(state->query->mesh, cones[child->parent].slot);
  do {
    const WmCone *cone = cones + child->parent, *parent = cones + cone->parent;
    const size_t behind = at - 1;
    if (left == cone->polygon) {
      if (at == 0) return false;
      writer->polygons[--at] = tile->ref + left;
      writer->links[at] = next;
    } else {
      const uint32_t steps = find_way(state, cone, left, way);
      if (steps > at) return false;
      for (uint32_t i = steps; i > 0; i--) {
        writer->polygons[--at] = tile->ref + way[i - 1];
        writer->links[at] = next;
        if (i > 1) next = find_joint(tile, way[i - 2], way[i - 1]);
      }
    }
    next = cone->link;
    if (tile->segments) {
      writer->links[at] = child->ends[1];
      next = child->ends[0];
      over = child;
    } else {
      float root[2] = {child->root[0], child->root[1]};
      if (child->kind == WM_CONE_POINT) write_crossing(state, writer, child, over, behind, root);
      over = NULL;
      if (root[0] != cone->root[0] || root[1] != cone->root[1])
        write_turn(writer,
                   find_turn(state, cone, child, root, (const size_t[2]){at - 1, behind}, &writer->is_late));
    }
    tile = find_tile(state, parent->slot, tile);
    left = wm_cones_left_by(state, cone, parent, tile);
    child = cone;
  } while (child != cones);
  writer->count = writer->room - at;
  return true;
}

/* Moves the corners to the front of their array. */
static void move_turns(const CorridorWriter *writer) {
  const uint32_t first = 2 * (uint32_t)(writer->room - writer->count);
  const uint32_t *turns = writer->turns + (writer->room - writer->turn_count);
  const uint32_t count = (uint32_t)writer->turn_count | (writer->is_late ? WM_LATE_TURNS : 0);
  writer->turns[-1] = writer->has_turns ? count : WM_UNKNOWN_TURNS;
  for (size_t i = 0; i < writer->turn_count; i++) writer->turns[i] = turns[i] - first;
}

/* Reserves memory for a corridor of some polygons. */
static WmStatus begin_writing(WmQuery *query, size_t room, CorridorWriter *writer) {
  WmStatus status = wm_query_reserve(query, WM_QUERY_LINKS, WM_QUERY_POLYGONS, room);
  if (!status) status = wm_query_reserve(query, WM_QUERY_FORMER, WM_QUERY_TURNS, room + 1);
  if (status) return status;
  *writer = (CorridorWriter){.polygons = query->arrays[WM_QUERY_POLYGONS].items,
                             .links = query->arrays[WM_QUERY_NUMBERS].items,
                             .turns = (uint32_t *)query->arrays[WM_QUERY_TURNS].items + 1,
                             .room = room,
                             .has_turns = true};
  return WM_OK;
}

/* The part of a cone's cost that isn't the length of the string on x and z: of crossing connections and segment links. A connection counts
 * with the distance between its ends.
 * out        *has_links: it crosses some */
static WM_COLD double find_link_cost(const WmSearchState *state, uint32_t arrived, bool *has_links) {
  const WmCone *cones = wm_cones_of(state), *child = cones + arrived;
  double cost = 0;
  for (; child != cones; child = cones + child->parent) {
    const WmCone *cone = cones + child->parent;
    const WmMeshTile *tile = wm_mesh_tile(state->query->mesh, cone->slot);
    if (cone->polygon < tile->ground_count) continue;
    *has_links = true;
    if (tile->segments) {
      cost += find_crossing_cost(state, tile, cone->polygon);
    } else {
      const WmConeVector to = child->kind == WM_CONE_ARRIVED
                                  ? (WmConeVector){(double)state->end[0], (double)state->end[2]}
                                  : wm_cone_root(child);
      cost += child->cost - cone->cost - wm_cone_length(wm_cone_subtract(to, wm_cone_root(cone)));
    }
  }
  return cost;
}

WmStatus wm_cones_write(const WmSearchState *state, uint32_t last, WmConeString *string) {
  CorridorWriter writer;
  size_t room = FIRST_POLYGONS;
  do {
    const WmStatus status = begin_writing(state->query, room, &writer);
    if (status) return status;
    room *= 2;
  } while (!write_corridor(state, last, &writer));
  const size_t first = writer.room - writer.count;
  *string = (WmConeString){writer.polygons + first, writer.links + first, writer.count, false, 0};
  double length = wm_cones_of(state)[last].cost;
  if (state->cones.has_connections) {
    /* Of a string that only crosses links, rounding could leave nothing: its length would seem to be unknown. */
    length = fmax(length - find_link_cost(state, last, &string->has_links), 1e-9);
  }
  string->length = (float)length;
  /* A line with a distance from walls is widened where the funnel turns. */
  if (state->task->options.wall_distance > 0) writer.has_turns = false;
  move_turns(&writer);
  return WM_OK;
}
