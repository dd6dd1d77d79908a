/// <reference lib="esnext.disposable" preserve="true" />
/** Doors and switches: they set or clear flags of the polygons under a volume while they are on. */
import { readReference, readReferences } from '../runtime/results.js';
import { copyToScratch, isRecord, requireBoolean, requireCount, requireName, requireOptions } from '../runtime/arguments.js';
import { describe, invalidArgument } from '../runtime/errors.js';
import { VOLUMES, nameVolumeField, readVolume, writeVolume } from '../input/geometry.js';
import { NAV_MESH, SWITCHES } from '../runtime/handle-kinds.js';
import { nameSet } from '../runtime/option-names.js';
import { HandleOwner, addressOf, requireMaker } from '../runtime/handle.js';
import { Switches as SwitchesLayout, WmSwitchVolume, WmSwitchedFlags } from '../runtime/layout.js';

/** @typedef {import('../runtime/arguments.js').SwitchHandle} SwitchHandle */
/** @typedef {import('../runtime/arguments.js').PolygonRefs} PolygonRefs */
/** @typedef {import('../input/geometry.js').VolumeShape} VolumeShape */
/** @typedef {import('./mesh.js').NavMesh} NavMesh */

/**
 * The polygons that a switch covers.
 * @typedef {object} SwitchCover
 * @property {VolumeShape} volume a box, rotatedBox, cylinder or convex prism
 * @property {number} [area] 0 to 63: only polygons of this area; default: all
 * @property {'touching' | 'middle'} [polygons] polygons that touch the volume, or those whose centre is inside; default
 *   `touching`
 * @property {string} [name] for find(); saved with the mesh
 */

/**
 * @typedef {object} SwitchFlags
 * @property {number} [setFlags] flags that are set while it is on; 16 bits, default 0
 * @property {number} [clearFlags] flags that are cleared while it is on, even if another switch sets them; 16 bits, default 0
 * @property {boolean} [isOn] default false
 */

/** @typedef {SwitchCover & SwitchFlags} SwitchOptions */
/** @typedef {SwitchCover & { isOpen?: boolean }} DoorOptions isOpen: default true */

/** @template T @typedef {import('../runtime/option-names.js').Names<T>} Names */
const SWITCH_NAMES = nameSet(/** @satisfies {Names<SwitchOptions>} */ (
  { volume: 1, area: 1, polygons: 1, name: 1, setFlags: 1, clearFlags: 1, isOn: 1 }));
const DOOR_NAMES = nameSet(/** @satisfies {Names<DoorOptions>} */ ({ volume: 1, area: 1, polygons: 1, name: 1, isOpen: 1 }));

const COVERS = /** @type {const} */ (['touching', 'middle']);
/** The number of kinds of volumes that a switch may have: the first kinds of VOLUMES. */
const KINDS = 4;
/** Byte offset of the volume in the C handle; words of the volume: its area, its choice of polygons, their number. */
const [VOLUME_AT, AREA_AT, MIDDLE_AT, VOLUME_WORDS] = [
  4 * SwitchesLayout.volume, WmSwitchVolume.area, WmSwitchVolume.byMiddle, WmSwitchVolume.words];
const ALL_FLAGS = 0xffff;

/** Words of a WmSwitchedFlags. */
const { polygon: POLYGON_AT, before: FLAGS_AT } = WmSwitchedFlags;

/** Volumes are objects of lists of points. */
const MOST_LEVELS = 3;

/** Converts points and arrays of any kind for JSON. @param {any} value @param {number} [depth] @returns {any} */
function toJson(value, depth = 0) {
  if (typeof value !== 'object' || value === null) return value;
  if (depth > MOST_LEVELS) return null;
  const next = (/** @type {any} */ item) => toJson(item, depth + 1);
  if (ArrayBuffer.isView(value) || Array.isArray(value)) return Array.from(/** @type {any} */ (value), next);
  const { x, y, z } = value;
  if (typeof x === 'number') return [x, y, z];
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, next(item)]));
}

/** The values of a switch's volume. @param {any} volume */
function readSwitchVolume(volume) {
  if (!isRecord(volume)) throw invalidArgument('volume', `must be an object with a kind, not ${describe(volume)}`, volume);
  const copy = { ...volume, area: 0 }, kinds = VOLUMES.slice(0, KINDS).map(({ kind }) => kind);
  if (kinds.includes(copy.kind)) return readVolume(copy, 'volume');
  throw invalidArgument('volume.kind', `is ${describe(copy.kind)}: must be ${kinds.join(', ')}`, copy.kind);
}

/** Checks that a handle is a number; C checks that the switch exists. @param {unknown} number @returns {number} */
function requireSwitch(number) {
  if (Number.isSafeInteger(number) && /** @type {number} */ (number) >= 0) return /** @type {number} */ (number);
  throw invalidArgument('switch', `is ${describe(number)}: must be a handle returned by add`, number);
}

/** Warns of a door that closes nothing. @param {SwitchCover} cover */
function warnEmpty({ name, area }) {
  const door = name === undefined ? 'a door' : `the door ${describe(name)}`;
  console.warn(`walkmesh: ${door} has no polygons, so it closes nothing: its volume must overlap the surface of the mesh`
    + `${area === undefined ? '' : ` where the area is ${area}`}. If its tiles are added later, ignore this.`);
}

/**
 * The set in C that all Switches of a mesh share, since flags that two sets change would be restored to each other's values.
 * @param {NavMesh} mesh @returns {{ address: number, users: number }}
 */
function shareSet(mesh) {
  const { session } = mesh, address = addressOf(mesh, NAV_MESH);
  if (!mesh.switchSet?.address) {
    session.check(session.wasm.switches_create(address));
    mesh.switchSet = { address: session.u32[session.answer], users: 0 };
  }
  mesh.switchSet.users++;
  return mesh.switchSet;
}

/**
 * The doors and switches of a mesh. They change flags only: references and paths stay valid, no tile is built again, and filters
 * see the change immediately. They cover whole polygons: to make polygons end at a door, bake an area volume with an area of its
 * own there, and give the switch this area and a slightly larger volume.
 *
 * Switches that overlap, also those of several objects: a flag is set if any switch that is on sets it, unless one of them clears
 * it. When no switch that is on names a flag any more, the flag gets its former value back. Other flags are not touched.
 *
 * Call update() after tiles were added, removed or built again, to set the flags of new polygons. A DynamicNavMesh and a
 * TileStreamer call it themselves. The mesh keeps it until free(), which turns all switches off. Made by NavMesh.createSwitches.
 */
export class Switches extends HandleOwner {
  /** The options of each switch by handle, in the order of addition. @type {Map<number, SwitchOptions>} */
  #added;
  /** A mesh that nobody else refers to lives as long as its switches. @internal @type {NavMesh | undefined} */
  mesh;

  /** @internal @param {NavMesh} mesh */
  constructor(mesh) {
    const session = requireMaker(mesh?.session, SWITCHES);
    const { wasm } = session, shared = shareSet(mesh), /** @type {Map<number, SwitchOptions>} */ added = new Map();
    super(session, SWITCHES, shared.address, (address) => {
      shared.users--;
      if (shared.users > 0) added.forEach((_, number) => wasm.switches_remove(address, number));
      else {
        wasm.switches_destroy(address);
        shared.address = 0;
      }
    }, mesh.handle);
    this.#added = added;
    this.mesh = mesh;
    mesh.switches.add(this);
  }

  /** Turns all switches off and frees its memory; does nothing if it is freed. Other calls throw a NavError afterwards. */
  free() {
    super.free();
    this.mesh?.switches.delete(this);
    this.mesh = undefined;
  }

  /** The number of switches. */
  get count() {
    addressOf(this, SWITCHES);
    return this.#added.size;
  }

  /** Adds a switch. @param {SwitchOptions} options @returns {SwitchHandle} its handle */
  add(options) {
    addressOf(this, SWITCHES);
    this.#requireFree(requireOptions(options, SWITCH_NAMES).name);
    return this.restore(options);
  }

  /**
   * Adds a door: while it is closed, its polygons have no flags, so that they pass no filter. In development a door without polygons
   * is reported with console.warn, as objects that were not freed are: it closes nothing until tiles are added under it. Not so in meshes
   * without tiles, and while a TileStreamer adds them.
   * @param {DoorOptions} options
   */
  addDoor(options) {
    addressOf(this, SWITCHES);
    const { isOpen = true, ...cover } = requireOptions(options, DOOR_NAMES);
    this.#requireFree(cover.name);
    const number = this.#add(cover, 0, ALL_FLAGS, !requireBoolean(isOpen, 'isOpen'));
    if (this.session.leaks.warned && this.polygons(number).length === 0 && this.#hasItsTiles()) warnEmpty(cover);
    return new Door(this, number);
  }

  /** False if the tiles of the mesh come later: there are none, or they are streamed. */
  #hasItsTiles() {
    const { mesh } = this;
    return mesh !== undefined && mesh.streamed.owners.size === 0 && mesh.totals.tiles > 0;
  }

  /** @param {SwitchCover} cover @param {number} setFlags @param {number} clearFlags @param {boolean} isOn */
  #add({ volume, area, polygons = 'touching', name }, setFlags, clearFlags, isOn) {
    const address = addressOf(this, SWITCHES);
    const { session } = this, { calls } = session;
    if (name !== undefined && typeof name !== 'string') throw invalidArgument('name', `must be a string, not ${describe(name)}`, name);
    const byMiddle = requireName(COVERS, polygons, 'polygons');
    const only = area === undefined ? -1 : requireCount(area, 'area', 63);
    readSwitchVolume(volume); // throws, before a list without an end is copied
    // The volume is read once: its getters may return other values when they are read again.
    const stored = toJson(volume), values = readSwitchVolume(stored);
    session.requireNoCallSince(calls);
    this.#writeVolume(address, values);
    const at = (address + VOLUME_AT) / 4;
    session.u32[at + AREA_AT] = only;
    session.u32[at + MIDDLE_AT] = byMiddle;
    const status = session.wasm.switches_add(address, setFlags, clearFlags, isOn ? 1 : 0);
    if (status !== 0) {
      const error = session.lastError();
      throw error.code === 'invalid-argument' ? nameVolumeField(error, stored.kind, 'volume') : error;
    }
    session.refresh();
    const number = readReference(session.u32, session.answer);
    this.#added.set(number, { volume: stored, area, polygons, name, setFlags, clearFlags });
    if (this.mesh) this.mesh.versionOfGraphs = -1; // tile graphs look at the polygons under it before tiles are removed
    return number;
  }

  /** @param {string | undefined} name */
  #requireFree(name) {
    if (name !== undefined && this.find(name) !== 0) throw invalidArgument('name', `is ${describe(name)}: another switch has this name`, name);
  }

  /** Adds a switch from a file. Names may repeat: a mesh may have had several Switches. @internal @param {SwitchOptions} options */
  restore(options) {
    addressOf(this, SWITCHES);
    const { volume, area, polygons, name, setFlags = 0, clearFlags = 0, isOn = false } = requireOptions(options, SWITCH_NAMES);
    return this.#add({ volume, area, polygons, name }, requireCount(setFlags, 'setFlags', ALL_FLAGS),
      requireCount(clearFlags, 'clearFlags', ALL_FLAGS), requireBoolean(isOn, 'isOn'));
  }

  /** The handles of all, in the order of addition. @returns {number[]} */
  numbers() {
    addressOf(this, SWITCHES);
    return [...this.#added.keys()];
  }

  /** The switch with a name, the first if a file had several; 0 if there is none. @param {string} name @returns {SwitchHandle} its handle */
  find(name) {
    addressOf(this, SWITCHES);
    for (const [number, options] of this.#added) if (options.name === name) return number;
    return 0;
  }

  /** A switch as a door, which is open while it is off. @param {SwitchHandle} number its handle */
  door(number) {
    addressOf(this, SWITCHES);
    this.polygons(number);
    return new Door(this, number);
  }

  /** The options and current state of each switch, in the order of addition. @returns {SwitchOptions[]} */
  list() {
    addressOf(this, SWITCHES);
    return Array.from(this.#added, ([number, options]) => ({ ...options, isOn: this.isOn(number) }));
  }

  /** For files, of all Switches of the mesh: tile place, tile layer and index of each polygon under switches, its former flags, and the flags that switches name. @internal */
  listFlags() {
    const address = addressOf(this, SWITCHES);
    const { session } = this;
    const all = [];
    for (let next = 0; (next = session.wasm.switches_next_flags(address, next)) !== 0;) {
      session.refresh();
      const { u32, answer } = session, flags = u32[answer + FLAGS_AT];
      all.push([u32[answer] | 0, u32[answer + 1] | 0, u32[answer + 2] | 0, u32[answer + POLYGON_AT], flags & ALL_FLAGS, flags >>> 16]);
    }
    return all;
  }

  /** Throws if the switch isn't one of these. @param {SwitchHandle} number @param {number} address of the set */
  #requireOwn(number, address) {
    if (this.#added.has(requireSwitch(number))) return;
    this.session.check(this.session.wasm.switches_polygons(address, number)); // throws: there is none, or no longer
    throw invalidArgument('switch', `is ${number}: it belongs to another Switches object`, number);
  }

  /** @param {number} address @param {ReturnType<typeof readVolume>} volume */
  #writeVolume(address, volume) {
    const { session } = this, { vertices } = volume;
    const outline = copyToScratch(session, vertices);
    session.u32.fill(0, (address + VOLUME_AT) / 4, (address + VOLUME_AT) / 4 + VOLUME_WORDS);
    writeVolume(session, address + VOLUME_AT, volume, vertices.length === 0 ? 0 : outline);
  }

  /** Turns a switch on or off. @param {SwitchHandle} number its handle @param {boolean} isOn */
  set(number, isOn) {
    const address = addressOf(this, SWITCHES);
    this.#requireOwn(number, address);
    this.session.check(this.session.wasm.switches_set(address, number, requireBoolean(isOn, 'isOn') ? 1 : 0));
  }

  /** True if a switch is on; false if it was removed. @param {SwitchHandle} number its handle @returns {boolean} */
  isOn(number) {
    const address = addressOf(this, SWITCHES);
    return this.#added.has(requireSwitch(number)) && this.session.wasm.switches_is_on(address, number) !== 0;
  }

  /** Turns a switch off and removes it; its handle stays invalid. @param {SwitchHandle} number its handle */
  remove(number) {
    const address = addressOf(this, SWITCHES);
    this.#requireOwn(number, address);
    this.session.check(this.session.wasm.switches_remove(address, number));
    this.#added.delete(number);
  }

  /** The polygons under a switch at the last update. @param {SwitchHandle} number its handle @returns {PolygonRefs} */
  polygons(number) {
    const address = addressOf(this, SWITCHES);
    this.#requireOwn(number, address);
    const { session } = this;
    session.check(session.wasm.switches_polygons(address, number));
    return readReferences(session, session.u32[session.answer], session.u32[session.answer + 1], undefined);
  }

  /**
   * Finds the polygons under all switches of the mesh again if tiles have changed; else very cheap.
   * @returns {number} the number of switches of the mesh whose polygons changed
   */
  update() {
    const address = addressOf(this, SWITCHES);
    const { session } = this;
    session.check(session.wasm.switches_update(address));
    return session.u32[session.answer];
  }
}

/** A door of Switches. */
export class Door {
  #switches;
  #number;

  /** @internal @param {Switches} switches @param {number} number */
  constructor(switches, number) {
    requireMaker(switches?.session, { noun: 'door', maker: 'addDoor of Switches' });
    this.#switches = switches;
    this.#number = number;
  }

  /** The handle of its switch, which is on while the door is closed. */
  get number() {
    return this.#number;
  }

  get isOpen() {
    return !this.#switches.isOn(this.#number);
  }

  open() {
    this.#switches.set(this.#number, false);
  }

  close() {
    this.#switches.set(this.#number, true);
  }

  /** The polygons under it. */
  polygons() {
    return this.#switches.polygons(this.#number);
  }

  /** Opens and removes it. */
  remove() {
    this.#switches.remove(this.#number);
  }
}
