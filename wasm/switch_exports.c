/* Exports of doors and switches. The handle owns the switches of a mesh; JavaScript frees it before the mesh.
 * The handle has the volume of the switch that a call is about; the volume's outline need only outlive the
 * call. */
#include "query/switches/switches.h"
#include "handles.h"
#include "session.h"

EXPORT(switches_destroy) void export_switches_destroy(Switches *switches) {
  wm_switches_destroy(switches->switches);
  wm_block_free(switches->session->context, switches);
}

/* Answer: the handle. */
EXPORT(switches_create) WmStatus export_switches_create(Mesh *mesh) {
  Session *session = mesh->session;
  Switches *switches = wm_block_allocate(session->context, sizeof *switches);
  if (!switches) return WM_ERROR_OUT_OF_MEMORY;
  *switches = (Switches){.session = session};
  const WmStatus status = wm_switches_create(session->context, mesh->mesh, &switches->switches);
  if (status) {
    export_switches_destroy(switches);
    return status;
  }
  session->answer[0] = (uint32_t)(uintptr_t)switches;
  return WM_OK;
}

/* Answer: the switch. */
EXPORT(switches_add)
WmStatus export_switches_add(Switches *switches, unsigned set_flags, unsigned clear_flags, int is_on) {
  return wm_switch_add(switches->switches, &switches->volume, (uint16_t)set_flags, (uint16_t)clear_flags,
                       is_on != 0, ANSWER(WmSwitch, switches->session));
}

EXPORT(switches_set) WmStatus export_switches_set(Switches *switches, double number, int is_on) {
  return wm_switch_set(switches->switches, (WmSwitch)number, is_on != 0);
}

EXPORT(switches_remove) WmStatus export_switches_remove(Switches *switches, double number) {
  return wm_switch_remove(switches->switches, (WmSwitch)number);
}

EXPORT(switches_is_on) int export_switches_is_on(Switches *switches, double number) {
  return wm_switch_is_on(switches->switches, (WmSwitch)number);
}

/* Answer: address, count of references. */
EXPORT(switches_polygons) WmStatus export_switches_polygons(Switches *switches, double number) {
  const WmRef *polygons;
  size_t count;
  const WmStatus status = wm_switch_polygons(switches->switches, (WmSwitch)number, &polygons, &count);
  if (!status) session_return_bytes(switches->session, polygons, count);
  return status;
}

/* Answer: a WmSwitchedFlags. Returns the cursor of the next, 0: no more. */
EXPORT(switches_next_flags) size_t export_switches_next_flags(const Switches *switches, size_t place) {
  return wm_switches_next_flags(switches->switches, &place, ANSWER(WmSwitchedFlags, switches->session))
             ? place
             : 0;
}

/* Answer: the number of switches whose polygons changed. */
EXPORT(switches_update) WmStatus export_switches_update(Switches *switches) {
  size_t changed;
  const WmStatus status = wm_switches_update(switches->switches, &changed);
  switches->session->answer[0] = (uint32_t)changed;
  return status;
}
