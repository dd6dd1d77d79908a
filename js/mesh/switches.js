/// <reference lib="esnext.disposable" preserve="true" />
/** Doors and switches: flags of the polygons under a volume, set while a switch is on. */
import { readReference, readReferences } from '../runtime/answers.js';
import { isRecord, requireBoolean, requireCount, requireName, requireOptions } from '../runtime/arguments.js';
import { NavError, describe, invalidArgument } from '../runtime/errors.js';
import { VOLUMES, writeVolume } from '../bake/geometry.js';
import { NAV_MESH, SWITCHES } from '../runtime/handle-kinds.js';
import { nameSet } from '../runtime/names.js';
import { Owned, addressOf, requireMaker } from '../runtime/owned.js';
import { Switches as SwitchesLayout, WmSwitchVolume, WmSwitchedFlags } from '../runtime/layout.js';

/** @typedef {import('../bake/geometry.js').VolumeShape} VolumeShape */
/** @typedef {import('./mesh.js').NavMesh} NavMesh */

/**
 * Which polygons lie under a volume.
 * @typedef {object} SwitchCover
 * @property {VolumeShape} volume a box, rotatedBox, cylinder or convex prism
 * @property {number} [area] 0 to 63: only polygons of this area; default any
 * @property {'touching' | 'middle'} [polygons] all that touch the volume, or those whose middle is inside; default `touching`
 * @property {string} [name] to find it by, also in a mesh that was saved
 */

/**
 * @typedef {object} SwitchFlags
 * @property {number} [setFlags] that polygons have while it is on; 16 bits, default 0
 * @property {number} [clearFlags] that they have not, whoever sets them; 16 bits, default 0
 * @property {boolean} [isOn] default false
 */

/** @typedef {SwitchCover & SwitchFlags} SwitchOptions */
/** @typedef {SwitchCover & { isOpen?: boolean }} DoorOptions isOpen: default true */

/** @template T @typedef {import('../runtime/names.js').Names<T>} Names */
const SWITCH_NAMES = nameSet(/** @satisfies {Names<SwitchOptions>} */ (
  { volume: 1, area: 1, polygons: 1, name: 1, setFlags: 1, clearFlags: 1, isOn: 1 }));
const DOOR_NAMES = nameSet(/** @satisfies {Names<DoorOptions>} */ ({ volume: 1, area: 1, polygons: 1, name: 1, isOpen: 1 }));

const COVERS = /** @type {const} */ (['touching', 'middle']);
/** Kinds of volumes that a switch may have: the first of a bake's. */
const KINDS = 4;
/** Bytes of the handle before its volume; words of that before its area, and its choice of polygons; how many it has. */
const [VOLUME_AT, AREA_AT, MIDDLE_AT, VOLUME_WORDS] = [
  4 * SwitchesLayout.volume, WmSwitchVolume.area, WmSwitchVolume.byMiddle, WmSwitchVolume.words];
const ALL_FLAGS = 0xffff;

/** Words of a WmSwitchedFlags. */
const { polygon: POLYGON_AT, before: FLAGS_AT } = WmSwitchedFlags;

/** Points and arrays of any kind as JSON has them. @param {any} value @returns {any} */
function toJson(value) {
  if (typeof value !== 'object' || value === null) return value;
  if (ArrayBuffer.isView(value) || Array.isArray(value)) return Array.from(/** @type {any} */ (value), toJson);
  if (typeof value.x === 'number') return [value.x, value.y, value.z];
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, toJson(item)]));
}

/** Handles are numbers; whether there is such a switch, C says. @param {unknown} number @returns {number} */
function requireSwitch(number) {
  if (Number.isSafeInteger(number) && /** @type {number} */ (number) >= 0) return /** @type {number} */ (number);
  throw invalidArgument('switch', `is ${describe(number)}: must be a switch, as add returns it`, number);
}

/**
 * Doors and switches of a mesh. Nothing is built again: references and paths in hand stay as they are, and filters see the change
 * at once. A polygon is taken or left as a whole: for polygons that end at a door, mark it in the bake by an area volume with an
 * area of its own, and give the switch this area and a volume that is a little larger.
 *
 * Several switches over one polygon: a flag that any of those that are on sets is set, unless one of them clears it. A flag that
 * is named is what it was before, once none names it any more; others are whatever they are set to.
 *
 * After tiles came, went or were built again, update() sets flags on the new ones, too; a DynamicNavMesh and a streamer do that by
 * themselves. free() turns all off. Make it with NavMesh.createSwitches.
 */
export class Switches extends Owned {
  /** What each was added with, by handle, in the order of addition. @type {Map<number, SwitchOptions>} */
  #added = new Map();

  /** @internal @param {NavMesh} mesh */
  constructor(mesh) {
    const session = requireMaker(mesh?.session, SWITCHES);
    const { wasm } = session;
    session.check(wasm.switches_create(addressOf(mesh, NAV_MESH)));
    super(session, SWITCHES, session.u32[session.answer], (switches) => wasm.switches_destroy(switches), mesh.handle);
    mesh.switches.add(new WeakRef(this));
  }

  /** How many there are. */
  get count() {
    const address = addressOf(this, SWITCHES);
    return this.session.wasm.switches_count(address) >>> 0;
  }

  /** Adds a switch. @param {SwitchOptions} options @returns {number} its handle */
  add(options) {
    addressOf(this, SWITCHES);
    this.#requireFree(requireOptions(options, SWITCH_NAMES).name);
    return this.restore(options);
  }

  /**
   * Adds a door: while it is closed, its polygons have no flags, so that no filter passes them.
   * @param {DoorOptions} options
   */
  addDoor(options) {
    addressOf(this, SWITCHES);
    const { isOpen = true, ...cover } = requireOptions(options, DOOR_NAMES);
    this.#requireFree(cover.name);
    return new Door(this, this.#add(cover, 0, ALL_FLAGS, !requireBoolean(isOpen, 'isOpen')));
  }

  /** @param {SwitchCover} cover @param {number} setFlags @param {number} clearFlags @param {boolean} isOn */
  #add({ volume, area, polygons = 'touching', name }, setFlags, clearFlags, isOn) {
    const address = addressOf(this, SWITCHES);
    const { session } = this;
    if (name !== undefined && typeof name !== 'string') throw invalidArgument('name', `must be a string, not ${describe(name)}`, name);
    const byMiddle = requireName(COVERS, polygons, 'polygons');
    const only = area === undefined ? -1 : requireCount(area, 'area', 63);
    this.#writeVolume(address, volume);
    const at = (address + VOLUME_AT) / 4;
    session.u32[at + AREA_AT] = only;
    session.u32[at + MIDDLE_AT] = byMiddle;
    const status = session.wasm.switches_add(address, setFlags, clearFlags, isOn ? 1 : 0);
    if (status !== 0) {
      const { code, message, field, value } = session.lastError();
      throw new NavError(code, message, { field: code === 'invalid-argument' ? `volume.${field}` : field, value });
    }
    session.refresh();
    const number = readReference(session.u32, session.answer);
    this.#added.set(number, { volume: toJson(volume), area, polygons, name, setFlags, clearFlags });
    return number;
  }

  /** @param {string | undefined} name */
  #requireFree(name) {
    if (name !== undefined && this.find(name) !== 0) throw invalidArgument('name', `is ${describe(name)}: another switch has it`, name);
  }

  /** One that a file has: several Switches of a mesh, which come back as one, may have used the same name. @internal @param {SwitchOptions} options */
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

  /** The switch of a name (of several that came back from a file, the first), or 0. @param {string} name @returns {number} its handle */
  find(name) {
    addressOf(this, SWITCHES);
    for (const [number, options] of this.#added) if (options.name === name) return number;
    return 0;
  }

  /** A switch as a door, which is open while it is off. @param {number} number its handle */
  door(number) {
    addressOf(this, SWITCHES);
    this.polygons(number);
    return new Door(this, number);
  }

  /** What add takes, of each as it is now, in the order of addition. @returns {SwitchOptions[]} */
  list() {
    addressOf(this, SWITCHES);
    return Array.from(this.#added, ([number, options]) => ({ ...options, isOn: this.isOn(number) }));
  }

  /** For files: x, z, layer and number of polygons under switches, what their flags were, and which are meant. @internal */
  listFlags() {
    const address = addressOf(this, SWITCHES);
    const { session } = this;
    const all = [];
    for (let place = 0; (place = session.wasm.switches_next_flags(address, place)) !== 0;) {
      session.refresh();
      const { u32, answer } = session, flags = u32[answer + FLAGS_AT];
      all.push([u32[answer] | 0, u32[answer + 1] | 0, u32[answer + 2] | 0, u32[answer + POLYGON_AT], flags & ALL_FLAGS, flags >>> 16]);
    }
    return all;
  }

  /** @param {number} address @param {any} volume */
  #writeVolume(address, volume) {
    const { session } = this;
    if (!isRecord(volume)) throw invalidArgument('volume', `must be an object with a kind, not ${describe(volume)}`, volume);
    const kinds = VOLUMES.slice(0, KINDS).map(({ kind }) => kind);
    if (!kinds.includes(volume.kind)) {
      throw invalidArgument('volume.kind', `is ${describe(volume.kind)}: must be ${kinds.join(', ')}`, volume.kind);
    }
    session.refresh();
    session.u32.fill(0, (address + VOLUME_AT) / 4, (address + VOLUME_AT) / 4 + VOLUME_WORDS);
    writeVolume(session, address + VOLUME_AT, { ...volume, area: 0 }, 'volume', (_, vertices) => {
      if (vertices.length === 0) return 0;
      const room = session.room(4 * vertices.length);
      session.f32.set(vertices, room / 4);
      return room;
    });
    session.refresh();
  }

  /** Turns a switch on or off. @param {number} number its handle @param {boolean} isOn */
  set(number, isOn) {
    const address = addressOf(this, SWITCHES);
    this.session.check(this.session.wasm.switches_set(address, requireSwitch(number), requireBoolean(isOn, 'isOn') ? 1 : 0));
  }

  /** Whether a switch is on; false for one that was removed. @param {number} number its handle @returns {boolean} */
  isOn(number) {
    const address = addressOf(this, SWITCHES);
    return this.session.wasm.switches_is_on(address, requireSwitch(number)) !== 0;
  }

  /** Turns a switch off and removes it; its handle stays invalid. @param {number} number its handle */
  remove(number) {
    const address = addressOf(this, SWITCHES);
    this.session.check(this.session.wasm.switches_remove(address, requireSwitch(number)));
    this.#added.delete(number);
  }

  /** The polygons under a switch, as of the last update. @param {number} number its handle @returns {Float64Array} */
  polygons(number) {
    const address = addressOf(this, SWITCHES);
    const { session } = this;
    session.check(session.wasm.switches_polygons(address, requireSwitch(number)));
    return readReferences(session, session.u32[session.answer], session.u32[session.answer + 1], undefined);
  }

  /**
   * Finds what lies under switches anew where tiles have changed since; costs next to nothing where none has.
   * @returns {number} how many switches have other polygons now
   */
  update() {
    const address = addressOf(this, SWITCHES);
    const { session } = this;
    session.check(session.wasm.switches_update(address));
    return session.u32[session.answer];
  }
}

/** A door; it stays with its Switches. */
export class Door {
  #switches;
  #number;

  /** @internal @param {Switches} switches @param {number} number */
  constructor(switches, number) {
    requireMaker(switches?.session, { what: 'door', maker: 'addDoor of switches' });
    this.#switches = switches;
    this.#number = number;
  }

  /** Its handle among the switches; the switch is on while it is closed. */
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

  /** Opens it and takes it away. */
  remove() {
    this.#switches.remove(this.#number);
  }
}
