/// <reference lib="esnext.disposable" preserve="true" />
/** Sliced searches: the same corridors as findCorridor, a few polygons per call. */
import { NO_OPTIONS, requireCount, requireOptions, requireReference, writePoint, writeReferences } from '../runtime/arguments.js';
import { Filter } from './filter.js';
import { SEARCH_NAMES, writeSearchOptions } from './find-path.js';
import { COUNT_LIMIT } from './query-options.js';
import { NAV_MESH, SEARCH } from '../runtime/handle-kinds.js';
import { NavError } from '../runtime/errors.js';
import { HandleOwner, addressOf, requireMaker } from '../runtime/handle.js';
import { readCorridor, requireCorridor, requireCorridorCount } from './paths.js';

/** @typedef {import('../runtime/arguments.js').PolygonRef} PolygonRef */
/** @typedef {import('../runtime/arguments.js').PointArgument} PointArgument */
/** @typedef {import('./paths.js').Corridor} Corridor */
/** @typedef {import('./paths.js').PathQueries} PathQueries */
/** @typedef {import('./paths.js').SearchOptions} SearchOptions */

/** Polygons and points of start and end, and the options. @typedef {{ ends: { polygon: PolygonRef, point: number[] }[], options: SearchOptions }} SearchTask */

/**
 * A search in slices: begin, advance until it is done, finish. Other queries, other searches and changes of flags may happen in
 * between. If tiles or connections change that it has met, it begins again by itself; if only others change, it goes on, but the second search of
 * `shortest`, `anyAngle` and costs that differ begins again. Where the tile of its start or end was built again, it starts from the nearest
 * point there, as nearestPoint finds it; if there is none, its calls throw a NavError. So a search that is done has the corridor of a search
 * that begins now, if no flags, areas and costs have changed since it began. If these have changed, as by a door, it goes on, and begins again
 * only if its corridor is closed when it is done: a way that has opened meanwhile can be missed. Made by NavMesh.createSearch.
 */
export class Search extends HandleOwner {
  #mesh;
  /** The filter of the current search, whose polygon costs are read until the end. @type {Filter | undefined} */
  #filter;
  /** Of the current search. @type {SearchTask | undefined} */
  #task;

  /** @internal @param {import('../mesh/mesh.js').NavMesh} mesh */
  constructor(mesh) {
    const session = requireMaker(mesh?.session, SEARCH);
    const { wasm } = session;
    session.check(wasm.search_create(addressOf(mesh, NAV_MESH)));
    super(session, SEARCH, session.u32[session.answer], (search) => wasm.search_destroy(search), mesh.handle);
    this.#mesh = mesh;
  }

  /**
   * Begins a search; drops an unfinished one. The filter is copied, except its polygon costs: don't free a Filter before the
   * search is finished.
   * @param {PolygonRef} startPolygon reference @param {PointArgument} start @param {PolygonRef} endPolygon reference @param {PointArgument} end
   * @param {SearchOptions} [options]
   */
  begin(startPolygon, start, endPolygon, end, options = NO_OPTIONS) {
    const address = addressOf(this, SEARCH);
    const { session } = this, { calls } = session;
    session.refresh();
    requireReference(startPolygon, 'startPolygon');
    requireReference(endPolygon, 'endPolygon');
    writePoint(session, 0, start, 'start');
    writePoint(session, 3, end, 'end');
    writeSearchOptions(this.#mesh, requireOptions(options, SEARCH_NAMES));
    const { filter } = options;
    session.requireNoCallSince(calls);
    this.#filter = filter instanceof Filter ? filter : undefined;
    const point = (/** @type {number} */ at) => Array.from(session.f32.subarray(session.inputs + at, session.inputs + at + 3));
    const ends = [{ polygon: startPolygon, point: point(0) }, { polygon: endPolygon, point: point(3) }];
    this.#task = undefined;
    session.check(session.wasm.search_begin(session.handle, address, startPolygon, endPolygon));
    this.#task = { ends, options: { ...options } };
  }

  /** Calls a function of the search. Where the tile of its start or end is gone, begins again on what is there now. @param {() => number} call */
  #call(call) {
    const { session } = this;
    try {
      session.check(call());
    } catch (error) {
      if (/** @type {any} */ (error)?.code !== 'stale-reference' || !this.#task) throw error;
      this.#beginAgain(this.#task);
      session.check(call());
    }
  }

  /** @param {SearchTask} task */
  #beginAgain({ ends, options }) {
    const [start, end] = ends.map(({ polygon, point }, i) => {
      if (!this.#mesh.isStale([polygon])) return { polygon, point };
      const near = this.#mesh.nearestPoint(point, { filter: options.filter });
      if (near) return near;
      throw new NavError('stale-reference', `the search has no ${i ? 'end' : 'start'}: its tile was removed or built again, and there is no mesh near `
        + `(${point.map((value) => Number(value.toFixed(2))).join(', ')}) now: begin another search`);
    });
    this.begin(start.polygon, start.point, end.polygon, end.point, options);
  }

  /**
   * Continues the search.
   * @param {number} budget the largest number of polygons to search
   * @returns {boolean} true if the search is done
   */
  advance(budget) {
    const address = addressOf(this, SEARCH);
    const { session } = this;
    this.#filter?.handle.check();
    requireCount(budget, 'budget', COUNT_LIMIT);
    this.#call(() => session.wasm.search_advance(session.handle, address, budget));
    return session.u32[session.answer] !== 0;
  }

  /**
   * The corridor. If the search isn't done, a corridor to the nearest point until now, with the reason `unfinished`; it can be
   * advanced and finished again.
   * @param {Corridor} [out] an earlier result, to be overwritten
   * @returns {Corridor}
   */
  finish(out = undefined) {
    const address = addressOf(this, SEARCH);
    const { session } = this;
    this.#filter?.handle.check();
    this.#call(() => session.wasm.search_finish(session.handle, address));
    return readCorridor(session, out);
  }

  /**
   * As finish, but ends at the last polygon of an existing corridor that the search has reached, even if it isn't the nearest: to
   * repair that corridor.
   * @param {ArrayLike<PolygonRef> | Corridor} corridor references
   * @param {Corridor} [out] an earlier result, to be overwritten
   * @returns {Corridor}
   */
  finishAlong(corridor, out = undefined) {
    const address = addressOf(this, SEARCH);
    const { session } = this, { calls } = session;
    this.#filter?.handle.check();
    const polygons = requireCorridor(corridor), count = requireCorridorCount(corridor, polygons);
    session.requireNoCallSince(calls);
    this.#call(() => {
      const scratch = session.reserve(8 * count);
      writeReferences(session, scratch, polygons, count, 'corridor');
      return session.wasm.search_finish_along(session.handle, address, scratch, count);
    });
    return readCorridor(session, out);
  }
}
