/**
 * Mutants that survived and that no test can kill, since they change no result. Each was checked by hand. The file's name and its
 * line before and after identify a mutant, so that the row stays valid when the file moves or grows.
 */

/** @type {{ file: string, before: string, after: string, why: string }[]} */
export const EQUIVALENT = [
  {
    file: 'agents.c', before: '*nearest = NULL;', after: '(void)0;',
    why: 'the nearest points are read only for agents that get another mesh, and then they were set',
  },
  {
    file: 'detail_insert.c', before: 'mesh->suspect_count = 0;', after: 'mesh->suspect_count = 1;',
    why: 'one edge more is looked at, last of all, when no flip makes anything better',
  },
  {
    file: 'saved_state.c', before: '*config = wm_config_default();', after: '(void)0;',
    why: 'the file has all fields of the configuration; the defaults are for fields to come',
  },
  {
    file: 'ready_tile.c', before: 'k = next_edge(new, k + 1, side);', after: 'k = next_edge(new, k + 0, side);',
    why: 'no side matches then, and its links are searched instead of adopted: the same ones, only later',
  },
  {
    file: 'polygon_merge.c', before: 'remove_edge(joiner, polygon->edges[shared]);', after: '(void)0;',
    why: 'no polygon has an edge with the same key any more, so nothing ever looks for what is left in the table',
  },
  {
    file: 'contours.c', before: '.simplifier = {settings->max_error, settings->max_edge_cells, flags, border, NULL, 0}};',
    after: '.simplifier = {settings->max_error, settings->max_edge_cells, flags, border, NULL, 1}};',
    why: 'an array that is NULL is allocated whatever its capacity says',
  },
  {
    file: 'polygon_mesh.c', before: 'uint32_t vertices = 0, triangles = 0, largest = 0;', after: 'uint32_t vertices = 0, triangles = 0, largest = 1;',
    why: 'contours have at least three vertices; without any a ring of one is allocated for nothing',
  },
  {
    file: 'contour_holes.c', before: 'if (step == 0) {', after: 'if (!(step == 0)) {',
    why: 'all labels are recomputed for each hole: the same order, ten times slower',
  },
  {
    file: 'contour_holes.c', before: 'if (step == 0) {', after: 'if (step != 0) {',
    why: 'all labels are recomputed for each hole: the same order, ten times slower',
  },
  {
    file: 'flow_fields.c', before: 'if (!best || field->used < best->used) best = field;', after: 'if (!best || field->used <= best->used) best = field;',
    why: 'no two fields were used at the same time',
  },
  {
    file: 'detail_samples.c', before: 'return largest[0];', after: 'return largest[1];',
    why: 'after both swaps all four lanes are the maximum',
  },
  {
    file: 'island_nearest.c',
    before: 'if (!(distance_to_box(search, tile->bounds_min, tile->bounds_max) < search->squared)) return;',
    after: 'if (!(distance_to_box(search, tile->bounds_min, tile->bounds_max) <= search->squared)) return;',
    why: 'no point of a box is nearer than the box, and only a nearer point replaces the best',
  },
  {
    file: 'surface_memo.c', before: 'WmDetailResults results = {0};', after: 'WmDetailResults results = {1};',
    why: 'the first member, `submeshes`, is assigned before anything reads it',
  },
  {
    file: 'locate.c', before: 'const WmFloat4 reach = {flat, rise, flat, 0};', after: 'const WmFloat4 reach = {flat, rise, flat, 1};',
    why: 'nothing reads the fourth lane: the box is made of three',
  },
  {
    file: 'neighbourhood.c', before: 'shape->box.high[axis] = value > shape->box.high[axis] ? value : shape->box.high[axis];',
    after: 'shape->box.high[axis] = value >= shape->box.high[axis] ? value : shape->box.high[axis];',
    why: 'an equal number replaces itself, and -0 compares like 0',
  },
  {
    file: 'compact_links.c', before: 'if (layers == 2) return link_layered(views, x, stride, climb, builder, 2);',
    after: 'if (layers == 2) return link_layered(views, x, stride, climb, builder, 1);',
    why: 'stacks of two spans are none of one, so they take the slower way of any stack, with the same links',
  },
  {
    file: 'compact_links.c',
    before: 'const WmInt4 high = (WmInt4)((wm_load_uint4(to + 4) - wm_load_uint4(first + 4)) ^ step);',
    after: 'const WmInt4 high = (WmInt4)((wm_load_uint4(to + 4) - wm_load_uint4(first - 4)) ^ step);',
    why: 'linked spans then have a longer step than the first one, and the row is linked layer by layer: the same links, only later',
  },
  {
    file: 'tile_validate.c',
    before: 'for (uint32_t k = 0; k < polygon.vertex_count && k < WM_TILE_VERTICES_PER_POLYGON; k++) {',
    after: 'for (uint32_t k = 0; k < polygon.vertex_count && k <= WM_TILE_VERTICES_PER_POLYGON; k++) {',
    why: 'a polygon of more than six vertices, for which alone it makes a difference, is refused by itself',
  },
  {
    file: 'detail_triangulate.c', before: 'if (mesh->memo_count == WM_DETAIL_MEMO_LIMIT) mesh->memo_count = 0; /* memos only save time */',
    after: 'if (mesh->memo_count == WM_DETAIL_MEMO_LIMIT) mesh->memo_count = 1; /* memos only save time */',
    why: 'the first memo stays, which is as right as it was',
  },
  {
    file: 'rasterize_triangles.c', before: 'const int32_t rows = triangle->row_last - triangle->row_first + 1;',
    after: 'const int32_t rows = triangle->row_last - triangle->row_first + 2;',
    why: 'one row more is reserved, and a triangle without rows reaches a loop that does nothing',
  },
  {
    file: 'obstacles.c', before: 'size_t left = 0;', after: 'size_t left = 1;',
    why: 'the queue has room for one tile more, which no call notices',
  },
  {
    file: 'erode_window.c', before: 'distance[span] = 0;', after: '(void)0;',
    why: 'the span has no area any more, and nothing but the spans linked to it can see its distance: theirs is 0, too',
  },
  {
    file: 'changed_regions.c', before: 'c->first_row = c->last_row = -1;', after: 'c->first_row = c->last_row = -2;',
    why: 'every negative first row says that there are no changes, and then the last one is not read',
  },
  {
    file: 'ear_ring.c', before: 'wm_box_tree_clear(&ring->edges, vertex);', after: '(void)0;',
    why: 'a search that finds the edge of a vertex which was cut off skips it, as it has no next vertex',
  },
  {
    file: 'connections.c', before: 'record->connection_started = &connection->started;', after: '(void)0;',
    why: 'only wm_plan_connection reads it, which plans connections of tiles, not those made at run time',
  },
  {
    file: 'detail_triangulate.c',
    before: 'const float cx = (0.0f * (az - bz) + a_squared * bz + b_squared * (0 - az)) / (2 * twice_area);',
    after: 'const float cx = (0.0f * (az + bz) + a_squared * bz + b_squared * (0 - az)) / (2 * twice_area);',
    why: 'the first term is a zero of either sign, and nothing tells zeros apart',
  },
  {
    file: 'filter_rows.c', before: 'settings->low_height ? settings->walkable_height : 0},',
    after: 'settings->low_height ? settings->walkable_height : 1},',
    why: 'spans that touch are one span, so the clearance above each is at least 1',
  },
  {
    file: 'changed_regions.c', before: 'c->added = 0;', after: '(void)0;',
    why: 'sweep_again sets it if rows are swept again; else `begun` is the number of the next region, and none reads it',
  },
  {
    file: 'detail_hull.c', before: 'corners[3] = 0;', after: '(void)0;',
    why: 'the fourth byte is set when the submesh is written; before, only equal facets are compared with it, and one that differs there is measured again: the same errors',
  },
  {
    file: 'detail_triangulate.c', before: 'corners[3] = 0;', after: '(void)0;',
    why: 'as in detail_hull.c',
  },
  {
    file: 'polygon_merge.c', before: 'memset(list->vertices, 0xff, (size_t)list->count * list->max_vertices * sizeof *list->vertices);',
    after: '(void)0;',
    why: 'the only caller has filled the list so (polygon_fill.c), of triangles only the first three entries were written, and no polygon is smaller',
  },
  {
    file: 'corridor.c', before: 'wanted += dropped;', after: 'wanted -= dropped;',
    why: 'no call drops more points than it wanted, so the number falls to 0, which is no limit: the same corners, only later',
  },
  {
    file: 'rasterize_rows.c', before: 'WmInt4 any = wm_splat_int4(0);', after: 'WmInt4 any = wm_splat_int4(1);',
    why: 'wm_mask_int4 looks at the sign bits only, and 1 has none',
  },
  {
    file: 'ready_tile.c', before: 'for (; end > first + 1; first++) {', after: 'for (; end > first + 0; first++) {',
    why: 'the link in the middle changes places with itself',
  },
  {
    file: 'detail_mesh.c', before: 'Results results = {0};', after: 'Results results = {1};',
    why: 'the first field is the pointer that is set two lines below, before anything reads it',
  },
  {
    file: 'locate.c', before: 'const uint32_t at = few ? 0 : wm_detail_point(&tile->detail_frames[polygon], point);',
    after: 'const uint32_t at = few ? 1 : wm_detail_point(&tile->detail_frames[polygon], point);',
    why: 'with few triangles no box is asked, so nothing reads the point',
  },
  {
    file: 'contours.c', before: '(double)(vertex_count > raw_count ? vertex_count : raw_count),', after: '(double)(vertex_count >= raw_count ? vertex_count : raw_count),',
    why: 'of two equal numbers it is the same whichever is taken',
  },
  {
    file: 'area_volume.c', before: 'if (i < 3 || value > shape->high[axis]) shape->high[axis] = value;', after: 'if (i < 3 || value >= shape->high[axis]) shape->high[axis] = value;',
    why: 'an equal value takes the place of itself; 0 and -0 lie in the same cell',
  },
  {
    file: 'corners.c', before: 'portal->left[1] = portal->right[1] = 0;', after: 'portal->left[1] = portal->right[1] = 1;',
    why: 'strings are pulled on x and z; a corner gets its height elsewhere, and a connection overwrites the point where the string ended',
  },
  {
    file: 'tile_tree.c', before: 'box->lanes[6] = box->lanes[7] = 0;', after: 'box->lanes[6] = box->lanes[7] = 1;',
    why: 'these lanes become the index of the node, which is written after them, before anything reads it',
  },
  { file: 'tile_tree.c', before: 'box->lanes[6] = box->lanes[7] = 0;', after: '(void)0;', why: 'as above' },
  {
    file: 'baseline.c', before: '*baseline = (WmBaseline){.raw_region = (uint16_t *)(void *)(block + region),',
    after: '*baseline = (WmBaseline){.raw_region = (uint16_t *)(void *)(block - region),',
    why: 'the offset of the first array of a layout is 0',
  },
  {
    file: 'detail_height_patch.c', before: 'if (!is_in_window(patch, 0, row) || last - first < 2) continue;',
    after: 'if (!is_in_window(patch, 0, row) || last - first < 1) continue;',
    why: 'no cell lies between two neighbours: 0 bytes are set, and the loop over them is empty',
  },
  {
    file: 'contact.c', before: 'static const float FIRMNESS[] = {0, WM_CROWD_FIRMNESS_ONE, WM_CROWD_FIRMNESS_TWO, WM_CROWD_FIRMNESS_MANY};',
    after: 'static const float FIRMNESS[] = {1, WM_CROWD_FIRMNESS_ONE, WM_CROWD_FIRMNESS_TWO, WM_CROWD_FIRMNESS_MANY};',
    why: 'without contacts, or with agents only that are parting, the push that it multiplies is 0',
  },
  {
    file: 'flow_field.c', before: 'flow->head_count = 1;', after: 'flow->head_count = 2;',
    why: 'with two links or more it becomes the same power of two; with fewer, one list is divided into two, of which one is empty',
  },
  {
    file: 'convex.c', before: 'enter = t > enter ? t : enter;', after: 'enter = t >= enter ? t : enter;',
    why: 'of two equal numbers it is the same whichever is taken; 0 and -0 are only compared',
  },
  {
    file: 'rasterize_edges.c', before: 'WmFloat4 stop = walk.near[0];', after: 'WmFloat4 stop = walk.near[1];',
    why: 'an edge that stores its stop crosses two lines or more, so that the first step replaces this value',
  },
  {
    file: 'connections.c', before: 'const float high[3] = {position[0] + radius, 0, position[2] + radius};',
    after: 'const float high[3] = {position[0] + radius, 1, position[2] + radius};',
    why: 'wm_box_tiles_begin reads x and z only',
  },
  {
    file: 'detail_triangulate.c', before: 'mesh->right[edge] = (uint16_t)face;', after: '(void)0;',
    why: 'the edge stays marked as hull: both are taken, and both are opened again when its turn comes again, as its face is removed then',
  },
  {
    file: 'detail_samples.c', before: 'facet->from = samples->row_first[first > 0 ? (int32_t)first : 0];',
    after: 'facet->from = samples->row_first[first >= 0 ? (int32_t)first : 0];', why: '0 becomes 0 both ways',
  },
  {
    file: 'detail_samples.c', before: 'facet->from = samples->row_first[first > 0 ? (int32_t)first : 0];',
    after: 'facet->from = samples->row_first[first > 1 ? (int32_t)first : 0];',
    why: 'the first row lies on the lower end of the polygon or below, too near its outline for samples, so rows 0 and 1 begin with the same one',
  },
  {
    file: 'detail_samples.c', before: 'facet->from = samples->row_first[first > 0 ? (int32_t)first : 0];',
    after: 'facet->from = samples->row_first[first > 0 ? (int32_t)first : 1];', why: 'as above',
  },
  {
    file: 'flood.c', before: 'wm_nodes_items(nodes)[cheapest].sequence = 0;', after: '(void)0;',
    why: 'no cost is negative, so that no node popped later costs less than this one, and only such a node would move it',
  },
  {
    file: 'rasterize_triangles.c', before: 'batch->point_count + 3 * (size_t)(row_last - row_first + 2) > batch->point_capacity) {',
    after: 'batch->point_count + 4 * (size_t)(row_last - row_first + 2) > batch->point_capacity) {',
    why: 'some batches end earlier, with the same runs',
  },
  {
    file: 'near_grid.c', before: 'for (uint32_t i = 0; i < tile->node_count; i++) {', after: 'for (uint32_t i = 1; i < tile->node_count; i++) {',
    why: 'a tree of several leaves, which alone gets a grid, begins with a node that is no leaf',
  },
  {
    file: 'states.c', before: 'const float part = seconds < WM_CROWD_PROGRESS_TIME ? seconds / WM_CROWD_PROGRESS_TIME : 1;',
    after: 'const float part = seconds <= WM_CROWD_PROGRESS_TIME ? seconds / WM_CROWD_PROGRESS_TIME : 1;',
    why: 'a number divided by itself is 1, too',
  },
  {
    file: 'path_requests.c', before: 'uint64_t key = (polygon ^ kind << 47) * 0x9e3779b97f4a7c15u;',
    after: 'uint64_t key = (polygon ^ kind << 47) * 0x9e3779b97f4a7c14u;',
    why: 'another hash: keys are only compared with each other, and those of two targets differ as before',
  },
  {
    file: 'ear_ring.c', before: 'int from_beyond = 0;', after: 'int from_beyond = 1;',
    why: 'the first point of the ring has no edge that ends there; from the second on it is set',
  },
  {
    file: 'polygon_merge.c', before: 'const uint32_t hash = key * 0x9e3779b1u;', after: 'const uint32_t hash = key * 0x9e3779b2u;',
    why: 'edges have other places in the table, where each is found by its key all the same',
  },
  {
    file: 'keep_right.c', before: 'if (record->oncoming == 0 || !(record->slowdown > 0)) return;', after: 'if (record->oncoming == 0 || !(record->slowdown >= 0)) return;',
    why: 'without a slowdown the velocity is turned by an angle of 0',
  },
  {
    file: 'path_requests.c', before: 'return entry->request == record->queued && entry->agent == crowd->agents[index] ? entry : NULL;',
    after: 'return entry->request == record->queued || entry->agent == crowd->agents[index] ? entry : NULL;',
    why: 'ids in the queue are consecutive, so the first comparison is always true, and both are before 2^32 requests were made',
  },
];

/** @param {string} path of the file @param {string} before the line @param {string} after @returns {boolean} */
export const isEquivalent = (path, before, after) => EQUIVALENT.some((one) => (
  path.endsWith(`/${one.file}`) && one.before === before && one.after === after));
