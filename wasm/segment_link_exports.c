/* Exports of the segment links of a mesh (mesh/links/segment_links.h): sets by place, links by reference. */
#include "mesh/links/segment_links.h"
#include "session.h"

_Static_assert(sizeof(WmSegmentLink) + 8 <= sizeof((Session){0}.answer),
               "a link and its ties fit the answer");

/* ---- Sets ---------------------------------------------------------------------------------------------- */

/* Answer: the reference of the first link; 0 if count is 0. */
EXPORT(mesh_put_links)
WmStatus export_mesh_put_links(Mesh *mesh, int x, int z, uint32_t number, const WmSegmentLink *links,
                               size_t count) {
  return wm_mesh_put_links(mesh->mesh, x, z, number, links, count, ANSWER(WmRef, mesh->session));
}

/* Answer: address and number of WmSegmentLink; the reference of the first. */
EXPORT(mesh_links_at) void export_mesh_links_at(const Mesh *mesh, int x, int z, uint32_t number) {
  Session *session = mesh->session;
  size_t count;
  const WmSegmentLink *links =
      wm_mesh_links_at(mesh->mesh, x, z, number, &count, (WmRef *)(void *)(session->answer + 2));
  session_return_bytes(session, links, count);
}

/* The reference of the set after that of `previous`; 0 after the last. */
EXPORT(mesh_next_links) double export_mesh_next_links(const Mesh *mesh, double previous) {
  return (double)wm_mesh_next_links(mesh->mesh, (WmRef)previous);
}

/* Answer: x and z of the place of a link's set, its number. */
EXPORT(mesh_links_place) WmStatus export_mesh_links_place(const Mesh *mesh, double link) {
  uint32_t *answer = mesh->session->answer;
  return wm_mesh_links_place(mesh->mesh, (WmRef)link, (int32_t *)answer, (int32_t *)answer + 1, answer + 2);
}

EXPORT(mesh_segment_link_count) size_t export_mesh_segment_link_count(const Mesh *mesh) {
  return wm_mesh_segment_link_count(mesh->mesh);
}

/* ---- Single links -------------------------------------------------------------------------------------- */

/* Answer: a WmSegmentLink, bits of the segments that are tied. */
EXPORT(mesh_segment_link) WmStatus export_mesh_segment_link(const Mesh *mesh, double link) {
  uint32_t *answer = mesh->session->answer;
  return wm_mesh_segment_link(mesh->mesh, (WmRef)link, ANSWER(WmSegmentLink, mesh->session),
                              (int *)answer + sizeof(WmSegmentLink) / 4);
}

/* Answer: the point of the feet. */
EXPORT(mesh_segment_link_point)
WmStatus export_mesh_segment_link_point(const Mesh *mesh, double link, float across, float along) {
  WmSegmentLink segments;
  const WmStatus status = wm_mesh_segment_link(mesh->mesh, (WmRef)link, &segments, NULL);
  if (!status) wm_segment_link_point(&segments, across, along, (float *)(void *)mesh->session->answer);
  return status;
}

EXPORT(mesh_set_segment_link_enabled)
WmStatus export_mesh_set_segment_link_enabled(Mesh *mesh, double link, int enabled) {
  return wm_mesh_set_segment_link_enabled(mesh->mesh, (WmRef)link, enabled != 0);
}

/* ---- Links that were switched off ---------------------------------------------------------------------- */

/* Answer: address, number of WmLinkOff. */
EXPORT(mesh_links_off) void export_mesh_links_off(const Mesh *mesh) {
  size_t count;
  const WmLinkOff *off = wm_mesh_links_off(mesh->mesh, &count);
  session_return_bytes(mesh->session, off, count);
}

EXPORT(mesh_set_links_off)
WmStatus export_mesh_set_links_off(Mesh *mesh, const WmLinkOff *off, size_t count) {
  return wm_mesh_set_links_off(mesh->mesh, off, count);
}
