/* The content of the LINK section: segment links of a mesh to bytes and back. See docs/formats.md. */
#include "mesh/formats/formats_internal.h"
#include "mesh/links/segment_sets.h"

/* The start of the content: numbers of sets and of places where a link is off. Then come the sets, each a head and its links,
 * then the places. */
typedef struct Head {
  uint32_t set_count, off_count;
} Head;

typedef struct SetHead {
  int32_t x, z;
  uint32_t number, link_count;
} SetHead;

typedef struct SavedLink {
  float start[2][3], end[2][3];
  float peak, cost;
  uint32_t user_id;
  uint16_t flags;
  uint8_t area;
  uint8_t options; /* kind, and bits */
} SavedLink;

enum { KIND_MASK = 3, BIDIRECTIONAL = 4, ENABLED = 8, ALL_OPTIONS = 15 };

_Static_assert(sizeof(SavedLink) == 64 && sizeof(WmLinkOff) == 52, "links are stored as they lie in memory");

/* ---- Writing ------------------------------------------------------------------------------------------ */

size_t wm_saved_links_bytes(const WmMesh *mesh) {
  if (mesh->link_set_count == 0 && mesh->link_off_count == 0) return 0;
  return sizeof(Head) + mesh->link_set_count * sizeof(SetHead) +
         wm_mesh_segment_link_count(mesh) * sizeof(SavedLink) + mesh->link_off_count * sizeof(WmLinkOff);
}

static uint8_t *append(uint8_t *bytes, const void *source, size_t byte_count) {
  memcpy(bytes, source, byte_count);
  return bytes + byte_count;
}

static SavedLink save_link(const WmSegmentLink *link) {
  SavedLink saved = {
      .peak = link->peak,
      .cost = link->cost,
      .user_id = link->user_id,
      .flags = link->flags,
      .area = link->area,
      .options = (uint8_t)(link->kind + link->bidirectional * BIDIRECTIONAL + link->enabled * ENABLED)};
  memcpy(saved.start, link->start, sizeof saved.start);
  memcpy(saved.end, link->end, sizeof saved.end);
  return saved;
}

void wm_saved_links_write(const WmMesh *mesh, uint8_t *bytes) {
  const Head head = {(uint32_t)mesh->link_set_count, (uint32_t)mesh->link_off_count};
  bytes = append(bytes, &head, sizeof head);
  for (size_t i = 0; i < mesh->link_set_count; i++) {
    const WmLinkSet *set = wm_mesh_link_sets(mesh)[i];
    const SetHead set_head = {set->x, set->z, set->number, set->record.tile.polygon_count};
    bytes = append(bytes, &set_head, sizeof set_head);
    for (uint32_t k = 0; k < set_head.link_count; k++) {
      const SavedLink saved = save_link(&set->links[k]);
      bytes = append(bytes, &saved, sizeof saved);
    }
  }
  if (head.off_count) append(bytes, mesh->links_off.items, head.off_count * sizeof(WmLinkOff));
}

/* ---- Reading ------------------------------------------------------------------------------------------ */

/* The rest of a section. */
typedef struct Rest {
  WmMesh *mesh;
  const uint8_t *bytes;
  size_t left;
} Rest;

static WmStatus fail(const Rest *rest, const char *message) {
  return wm_fail(rest->mesh->context, WM_ERROR_CORRUPT, "file", message);
}

/* Copies the next bytes. Returns false if there are too few. */
static bool take(Rest *rest, void *target, size_t byte_count) {
  if (byte_count > rest->left) return false;
  memcpy(target, rest->bytes, byte_count);
  rest->bytes += byte_count;
  rest->left -= byte_count;
  return true;
}

static bool load_link(Rest *rest, WmSegmentLink *link) {
  SavedLink saved;
  if (!take(rest, &saved, sizeof saved) || saved.options > ALL_OPTIONS) return false;
  *link = (WmSegmentLink){.peak = saved.peak,
                          .cost = saved.cost,
                          .user_id = saved.user_id,
                          .flags = saved.flags,
                          .area = saved.area,
                          .kind = saved.options & KIND_MASK,
                          .bidirectional = saved.options & BIDIRECTIONAL,
                          .enabled = saved.options & ENABLED};
  memcpy(link->start, saved.start, sizeof saved.start);
  memcpy(link->end, saved.end, sizeof saved.end);
  return true;
}

/* True if a set belongs behind another one. */
static bool is_behind(const SetHead *before, const SetHead *head) {
  if (before->z != head->z) return before->z < head->z;
  return before->x != head->x ? before->x < head->x : before->number < head->number;
}

static WmStatus read_set(Rest *rest, const SetHead *head) {
  WmContext *context = rest->mesh->context;
  if (head->number == WM_NEW_LINK_SET || head->link_count == 0 ||
      head->link_count > rest->left / sizeof(SavedLink)) {
    return fail(rest, "a set of links is of a wrong size");
  }
  WmSegmentLink *links = wm_scratch_array(context, head->link_count, sizeof *links);
  if (!links) return WM_ERROR_OUT_OF_MEMORY;
  for (uint32_t i = 0; i < head->link_count; i++) {
    if (!load_link(rest, &links[i])) return fail(rest, "a segment link is out of range");
  }
  const WmStatus status =
      wm_mesh_put_links(rest->mesh, head->x, head->z, head->number, links, head->link_count, NULL);
  return status == WM_ERROR_INVALID_ARGUMENT ? fail(rest, "a segment link is out of range") : status;
}

static WmStatus read_sets(Rest *rest, uint32_t count) {
  SetHead before = {0}, head;
  for (uint32_t i = 0; i < count; i++, before = head) {
    if (!take(rest, &head, sizeof head)) return fail(rest, "the sets of links are cut");
    if (i > 0 && !is_behind(&before, &head)) return fail(rest, "the sets of links are in the wrong order");
    const WmScratchMark mark = wm_scratch_mark(rest->mesh->context);
    const WmStatus status = read_set(rest, &head);
    wm_scratch_rewind(rest->mesh->context, mark);
    if (status) return status;
  }
  return WM_OK;
}

WmStatus wm_saved_links_read(WmMesh *mesh, const uint8_t *bytes, size_t byte_count) {
  Rest rest = {mesh, bytes, byte_count};
  Head head;
  if (!take(&rest, &head, sizeof head)) return fail(&rest, "the sets of links are cut");
  WmStatus status = read_sets(&rest, head.set_count);
  if (status) return status;
  if (rest.left != head.off_count * (uint64_t)sizeof(WmLinkOff)) {
    return fail(&rest, "the places of links that are off are of a wrong size");
  }
  const WmScratchMark mark = wm_scratch_mark(mesh->context);
  WmLinkOff *off = wm_scratch_array(mesh->context, head.off_count, sizeof *off);
  status = off ? WM_OK : WM_ERROR_OUT_OF_MEMORY;
  if (!status) {
    (void)take(&rest, off, rest.left);
    status = wm_mesh_store_links_off(mesh, off, head.off_count);
  }
  wm_scratch_rewind(mesh->context, mark);
  return status == WM_ERROR_INVALID_ARGUMENT ? fail(&rest, "a place of a link that is off is out of range")
                                             : status;
}
