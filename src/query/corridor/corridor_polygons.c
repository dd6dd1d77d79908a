/* The list of a corridor's polygons: dropping, adding and merging. See corridor_internal.h. */
#include "query/corridor/corridor_internal.h"

/* Reserves capacity for `front` items in front and `back` items behind. If there is too little, moves the
 * items to the centre of a block at least twice as large: so each item is moved a few times at most. */
static WmStatus reserve_ends(WmContext *context, WmRefList *list, size_t front, size_t back) {
  if (front <= list->first && back <= list->storage.capacity - list->first - list->count) return WM_OK;
  const size_t needed = front + list->count + back;
  const WmStatus status = wm_buffer_reserve(context, &list->storage, 2 * needed, sizeof(WmRef));
  if (status) return status;
  const WmRef *items = wm_ref_list_items(list);
  list->first = (list->storage.capacity - needed) / 2 + front;
  memmove(wm_ref_list_items(list), items, list->count * sizeof *items);
  return WM_OK;
}

WmStatus wm_ref_list_set(WmContext *context, WmRefList *list, const WmRef *refs, size_t count) {
  /* If `refs` is part of the list, the capacity suffices: nothing is allocated. */
  const WmStatus status = wm_buffer_reserve(context, &list->storage, count, sizeof(WmRef));
  if (status) return status;
  list->first = (list->storage.capacity - count) / 2;
  list->count = count;
  if (count) memmove(wm_ref_list_items(list), refs, count * sizeof *refs);
  return WM_OK;
}

bool wm_ref_list_meet(const WmRefList *list, const WmRef *refs, size_t count, bool last, size_t *in_list,
                      size_t *in_refs) {
  const WmRef *items = wm_ref_list_items(list);
  for (size_t n = 0; n < list->count; n++) {
    const size_t i = last ? list->count - 1 - n : n;
    for (size_t j = 0; j < count; j++) {
      if (items[i] != refs[j]) continue;
      *in_list = i;
      *in_refs = j;
      return true;
    }
  }
  return false;
}

WmStatus wm_ref_list_move_start(WmContext *context, WmRefList *list, const WmRef *visited, size_t count) {
  size_t i, j;
  if (!wm_ref_list_meet(list, visited, count, true, &i, &j)) return WM_OK;
  const size_t dropped = i + 1, added = count - j;
  const WmStatus status = reserve_ends(context, list, added > dropped ? added - dropped : 0, 0);
  if (status) return status;
  list->first += dropped - added;
  list->count += added - dropped;
  WmRef *items = wm_ref_list_items(list);
  for (size_t k = 0; k < added; k++) items[k] = visited[count - 1 - k];
  return WM_OK;
}

WmStatus wm_ref_list_move_end(WmContext *context, WmRefList *list, const WmRef *visited, size_t count) {
  size_t i, j;
  if (!wm_ref_list_meet(list, visited, count, false, &i, &j)) return WM_OK;
  const size_t retained = i + 1, added = count - j - 1;
  const size_t dropped = list->count - retained;
  const WmStatus status = reserve_ends(context, list, 0, added > dropped ? added - dropped : 0);
  if (status) return status;
  list->count = retained + added;
  memcpy(wm_ref_list_items(list) + retained, visited + j + 1, added * sizeof *visited);
  return WM_OK;
}
