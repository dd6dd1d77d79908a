/** One case: a function of the package is called with one hostile value in its arguments, and the package must stand it. */
import { NavError } from '../../js/index.js';
import { NavError as CoreNavError } from '../../js/core.js';
import { setRandomSeed } from '../../js/recast-navigation/index.js';
import { getWalkmesh } from '../../js/recast-navigation/instance.js';
import { makeRandom } from '../js/random.js';
import { ATTACKS, freeOf } from './hostile.js';
import { ValueMaker } from './values.js';
import { MODULES, PLACE, TARGET, World, makeConfig, makeLevel } from './world.js';

/** @typedef {import('./api.js').Target} Target */
/** @typedef {import('./hostile.js').Attack} Attack */
/** @typedef {import('./world.js').Shared} Shared */

/** Promises must settle within this time, seconds. */
const LONGEST_WAIT = 20;
/** Promises whose attack never settles are waited for, seconds. */
const SHORT_WAIT = 0.05;
/** Levels of objects in the arguments that are attacked, and of the scenes of three.js. */
const [MOST_DEPTH, MOST_SCENE_DEPTH] = [4, 9];
/** The fields of objects of three.js that the package reads. */
const SCENE_FIELDS = ['name', 'parent', 'children', 'userData', 'visible', 'layers', 'mask', 'geometry', 'material', 'matrixWorld', 'elements', 'instanceMatrix',
  'levels', 'attributes', 'position', 'index', 'drawRange', 'groups', 'array', 'data', 'stride', 'offset', 'count', 'itemSize', 'normalized', 'side'];
/** @param {any} value */
const isOfScene = (value) => value.isObject3D || value.isBufferGeometry || value.isMaterial || value.isBufferAttribute || value.isMatrix4 || value.isLayers
  || value.isInterleavedBufferAttribute || value.isInterleavedBuffer;
/** Calls of the package from within one call. */
const MOST_CALLS = 30;

/** @typedef {{ id: string, symptom: string, message: string }} Failure id: function, place and attack */

/** A random number generator for a case: cases of the same seed are independent. @param {number} seed @param {number} index */
const randomOf = (seed, index) => makeRandom(Math.imul(Math.imul(seed + 1, 0x9e3779b1) ^ (index + 1), 0x85ebca6b) ^ (index >>> 3));

/** The places in the arguments where a value can be replaced. @param {any} value @param {(string | number)[]} path @param {number} [most] levels @returns {(string | number)[][]} */
function listPlaces(value, path, most = MOST_DEPTH) {
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value) || path.length >= MOST_SCENE_DEPTH) return [path];
  if (isOfScene(value)) {
    const isWritable = (/** @type {string} */ name) => !(value.isInterleavedBufferAttribute && (name === 'count' || name === 'array')) // getters
      && Object.getOwnPropertyDescriptor(value, name)?.writable !== false;
    const fields = SCENE_FIELDS.filter((name) => value[name] !== undefined && name !== 'parent' && isWritable(name));
    return [path, ...fields.flatMap((key) => listPlaces(value[key], [...path, key], MOST_SCENE_DEPTH)), ...('parent' in value ? [[...path, 'parent']] : [])];
  }
  const isPlain = Array.isArray(value) || Object.getPrototypeOf(value) === Object.prototype;
  if (!isPlain || path.length >= most) return [path];
  return [path, ...Object.keys(value).slice(0, 12).flatMap((key) => listPlaces(value[key], [...path, key], most))];
}

/** The value at a place. @param {any} root @param {(string | number)[]} path */
const valueAt = (root, path) => path.reduce((value, key) => value[key], root);

/** @param {unknown} error */
const isNavError = (error) => error instanceof NavError || error instanceof CoreNavError;

/** Numbers that measure time and memory differ between equal calls. */
const MEASURED = /milliseconds|stages|memory|bytes|version|threads/i;

/** A result as text, to compare two calls; handles are left out. @param {any} value @param {number} [depth] @returns {string} */
function toText(value, depth = 0) {
  if (typeof value !== 'object' || value === null) return typeof value === 'function' || typeof value === 'symbol' ? typeof value : String(value);
  if (ArrayBuffer.isView(value) && !(value instanceof DataView)) return `${/** @type {any} */ (value)[Symbol.toStringTag]} ${Array.prototype.join.call(value)}`;
  if (depth > 4) return '...';
  if (Array.isArray(value)) return `[${value.map((one) => toText(one, depth + 1)).join()}]`;
  if (Object.getPrototypeOf(value) !== Object.prototype) return typeof value.save === 'function' && !value.isFreed ? toText(value.save()) : value.constructor?.name ?? '';
  return `{${Object.keys(value).filter((key) => !MEASURED.test(key)).sort().map((key) => `${key}: ${toText(value[key], depth + 1)}`).join()}}`;
}

/** Waits for a promise, at most for some time. @param {any} result @param {number} seconds */
async function settle(result, seconds) {
  let timer;
  const late = new Promise((resolve) => { timer = setTimeout(resolve, 1000 * seconds, settle); });
  try {
    const first = await Promise.race([result, late]);
    return first === settle ? { isLate: true } : { value: first };
  } finally {
    clearTimeout(timer);
  }
}

export class Case {
  /** Errors that the hostile object threw, and patterns of the engine's messages about it. @type {unknown[]} */
  allowed = [];
  #calls = 0;
  #isInside = false;

  /** True if the instance can't be used again: a call goes on that will never end. */
  isSpoilt = false;

  /**
   * @param {Shared} shared @param {Target[]} targets @param {number} seed @param {number} index
   * @param {number} [longest] seconds that a call may take
   */
  constructor(shared, targets, seed, index, longest = Infinity) {
    this.longest = longest;
    this.shared = shared;
    this.seed = seed;
    this.index = index;
    this.target = targets[index % targets.length];
    this.id = this.target.id;
  }

  /** Runs the case; undefined if the package stood it. @returns {Promise<Failure | undefined>} */
  async run() {
    const outcome = await this.#call(true);
    if (!outcome) return undefined;
    const { attack, isLate, seconds } = outcome;
    const fail = (/** @type {string} */ symptom, /** @type {unknown} */ message) => ({ id: this.id, symptom, message: String(message) });
    if (seconds > this.longest) return fail('slow', `${seconds.toFixed(1)} s`);
    if (isLate && !attack?.never) return fail('does not settle', '');
    if ('error' in outcome && !this.isAllowed(outcome.error)) return fail('wrong error', describe(outcome.error));
    // An earlier result that is overwritten may be longer than the new one.
    if (attack?.same && 'text' in outcome && !this.id.includes(', out')) {
      const good = await this.#call(false);
      if (good && good.text !== outcome.text) return fail('another result', `${outcome.text} instead of ${good.text}`.slice(0, 300));
    }
    this.isSpoilt = isLate;
    return this.#check(fail, isLate);
  }

  /** True if an error is one that the package or the hostile object may throw. @param {unknown} error */
  isAllowed(error) {
    if (isNavError(error)) return /** @type {any} */ (error).code !== 'internal';
    return this.allowed.some((one) => one === error || (one instanceof RegExp && error instanceof TypeError && one.test(error.message)));
  }

  /** The next good bake must have the right bytes, and no memory may be left. @param {(symptom: string, message: unknown) => Failure} fail @param {boolean} isLate */
  #check(fail, isLate) {
    const { shared } = this;
    try {
      const { entry } = this.target;
      const isGood = shared.bake() === shared.good && (entry !== 'core' || shared.bakeCore() === shared.goodCore)
        && (!entry.startsWith('recast') || shared.bakeRecast() === shared.goodRecast);
      if (!isGood) return fail('the next bake differs', '');
    } catch (error) {
      return fail('the module is broken', describe(error));
    }
    const bytes = shared.bytesInUse();
    if (isLate || bytes === shared.bytes) return undefined;
    return fail('memory is left', `${bytes - shared.bytes} bytes`);
  }

  /** Calls the function once. @param {boolean} isHostile false: with the good arguments of the same case */
  async #call(isHostile) {
    const { target, shared, seed, index } = this;
    const random = randomOf(seed, index);
    const world = new World(shared);
    setRandomSeed(1); // walkmesh/recast-navigation has one generator for all meshes
    world.usesPool = random.below(10) === 0;
    this.#calls = 0;
    const maker = new ValueMaker(world, random, target.id);
    const subject = target.owner && target.kind !== 'constructor' && target.kind !== 'function' ? world.get(target.id.startsWith(`${target.entry}/`) ? `${target.entry}/${target.owner}` : target.owner) : MODULES[target.entry];
    const args = target.parameters.map(({ type, name }) => maker.make(type, name));
    /** The subject is attacked, too: methods are called on other objects. */
    const call = { args, self: subject };
    const attack = this.#attack(call, random, world, subject, isHostile);
    const start = performance.now();
    try {
      const settled = await settle(this.#invoke(call), attack?.never ? SHORT_WAIT : LONGEST_WAIT);
      const seconds = (performance.now() - start) / 1000;
      if (settled.isLate) return { attack, isLate: true, seconds };
      const value = typeof settled.value === 'function' && target.name === 'fetchSource' ? (await settle(settled.value(0, 0), 1)).value : settled.value;
      world.track(value);
      const text = attack?.same ? toText(value) : '';
      this.#use(value);
      return { attack, isLate: false, seconds, text };
    } catch (error) {
      return { attack, isLate: false, seconds: (performance.now() - start) / 1000, error };
    } finally {
      await world.free().catch((error) => { if (!this.isAllowed(error)) throw error; });
    }
  }

  /** @param {{ args: any[], self: any }} call */
  #invoke({ args, self }) {
    const { name, kind, entry, owner } = this.target;
    if (kind === 'function') return (owner ? MODULES[entry][owner] : MODULES[entry])[name](...args);
    if (kind === 'constructor') return Reflect.construct(MODULES[entry][owner], args);
    const prototype = findPrototype(MODULES[entry][owner].prototype, name);
    if (kind === 'method') return prototype.value.apply(self, args);
    return kind === 'getter' ? prototype.get.call(self) : prototype.set.call(self, ...args);
  }

  /** Replaces one value in the arguments. @param {{ args: any[], self: any }} call @param {ReturnType<typeof makeRandom>} random @param {World} world @param {any} subject @param {boolean} isHostile @returns {Attack | undefined} */
  #attack(call, random, world, subject, isHostile) {
    const { kind } = this.target;
    const root = kind === 'method' || kind === 'getter' || kind === 'setter' ? call : { args: call.args };
    const places = [...listPlaces(call.args, ['args']).slice(1), ...('self' in root && (call.args.length === 0 || random.below(12) === 0) ? [['self']] : [])];
    if (places.length === 0) return undefined;
    const place = places[random.below(places.length)];
    const old = valueAt(root, place);
    const fitting = ATTACKS.filter(({ fits }) => fits(old));
    // Half of the attacks are those that need a value of this kind.
    const special = fitting.filter(({ fits }) => fits !== ATTACKS[0].fits);
    const attack = special.length > 0 && random.below(4) > 0 ? special[random.below(special.length)] : fitting[random.below(fitting.length)];
    this.id = `${this.target.id}, ${place.join('.').replace(/^args\.(\d+)/, (_all, at) => this.target.parameters[Number(at)]?.name ?? at)}: ${attack.name}`;
    if (!isHostile) return attack;
    // Engines check that a method runs on an object of its class, and throw a TypeError: docs/security.md promises no more.
    if (place[0] === 'self') this.allowed.push(/./);
    const parent = valueAt(root, place.slice(0, -1));
    parent[place[place.length - 1]] = attack.make(old, this.#makeTools(random, world, subject));
    return attack;
  }

  /** @param {ReturnType<typeof makeRandom>} random @param {World} world @param {any} subject @returns {import('./hostile.js').Tools} */
  #makeTools(random, world, subject) {
    return {
      random,
      allow: (error) => this.allowed.push(error),
      throwIt: () => this.#throw(new Error('hostile')),
      throwText: () => this.#throw(`hostile ${random.below(1e6)}`),
      reenter: () => this.#reenter(world, random),
      freeOwner: () => {
        const owned = freeOf(subject) ? subject : world.get(this.target.entry.startsWith('recast') ? 'recast-navigation/NavMesh' : 'NavMesh');
        if (!owned.isFreed) freeOf(owned).call(owned);
      },
    };
  }

  /** @param {unknown} error @returns {never} */
  #throw(error) {
    this.allowed.push(error);
    throw error;
  }

  /** Calls the package from within a call of it. @param {World} world @param {ReturnType<typeof makeRandom>} random */
  #reenter(world, random) {
    if (this.#isInside || this.#calls >= MOST_CALLS) return;
    this.#calls++;
    this.#isInside = true;
    try {
      const isRecast = this.target.entry.startsWith('recast');
      const navMesh = isRecast ? world.get('recast-navigation/NavMesh').raw : world.get('NavMesh');
      const walkmesh = isRecast ? getWalkmesh() : world.walkmesh;
      const { polygon } = navMesh.nearestPoint(TARGET);
      [() => navMesh.findPath(TARGET, PLACE), () => navMesh.raycast(polygon, TARGET, PLACE), () => navMesh.flood(polygon, TARGET, { maxCost: 3, shape: [0, 0, 0, 9, 0, 0, 9, 0, 9] }),
        () => navMesh.findPaths([...TARGET, ...PLACE], [...PLACE, ...TARGET]), () => walkmesh.bake(makeLevel(), makeConfig()).navMesh.free(),
        () => walkmesh.trimMemory(), () => navMesh.save(), () => navMesh.createFilter({ areaCosts: { 3: 9 } }).free()][random.below(8)]();
    } catch (error) {
      if (!this.isAllowed(error)) throw error;
    } finally {
      this.#isInside = false;
    }
  }

  /** Uses the result of a hostile call: saves a mesh and loads it again, steps a baker. @param {any} value */
  #use(value) {
    const { walkmesh } = this.shared;
    const { navMesh, dynamic } = typeof value === 'object' && value !== null ? value : /** @type {any} */ ({});
    if (dynamic?.save && !dynamic.isFreed) walkmesh.loadDynamic(dynamic.save()).navMesh.free();
    else if (navMesh?.save && !navMesh.isFreed) walkmesh.loadNavMesh(navMesh.save()).free();
    if (typeof value?.nextStage === 'string') while (value.nextStage !== 'done' && value.step) value.step();
  }
}

/** The property of a class. @param {any} prototype @param {string} name @returns {any} */
function findPrototype(prototype, name) {
  for (let at = prototype; at; at = Object.getPrototypeOf(at)) {
    const descriptor = Object.getOwnPropertyDescriptor(at, name);
    if (descriptor) return descriptor;
  }
  throw new Error(`there is no ${name}`);
}

/** @param {unknown} error */
export function describe(error) {
  if (!(error instanceof Error)) return `thrown: ${typeof error} ${String(error)}`;
  const at = /\((?:file:\/\/)?[^)]*\/(js\/[^)]*)\)|at (?:file:\/\/)?\S*\/(js\/\S+)/.exec(error.stack ?? '');
  return `${error.name}${isNavError(error) ? ` ${/** @type {any} */ (error).code}` : ''}: ${error.message.slice(0, 160)}${at ? ` (${at[1] ?? at[2]})` : ''}`;
}
