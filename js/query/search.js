/// <reference lib="esnext.disposable" preserve="true" />
/** Searches in slices: the same corridors as findCorridor, a few polygons at a time. */
import { NO_OPTIONS, requireCount, requireOptions, requireReference, writePoint, writeReferences } from '../runtime/arguments.js';
import { Filter } from '../mesh/filter.js';
import { SEARCH_NAMES, writeSearchOptions } from './find-path.js';
import { NAV_MESH, SEARCH } from '../runtime/handle-kinds.js';
import { Owned, addressOf, requireMaker } from '../runtime/owned.js';
import { polygonsOf, readCorridor, requireCorridor } from './paths.js';

/** @typedef {import('../runtime/arguments.js').Point} Point */
/** @typedef {import('./paths.js').Corridor} Corridor */
/** @typedef {import('./paths.js').PathQueries} PathQueries */
/** @typedef {import('./paths.js').SearchOptions} SearchOptions */

const COUNT_LIMIT = 0xffffffff;

/**
 * begin, advance until it is done, finish. Other questions, other searches and changes of flags may happen in between;
 * where tiles or connections change it starts again by itself, as long as its start and end are there. Make it with
 * NavMesh.createSearch.
 */
export class Search extends Owned {
  #mesh;
  /** Of the search that was begun: costs of single polygons are read from it to the end. @type {Filter | undefined} */
  #filter;

  /** @internal @param {PathQueries} mesh */
  constructor(mesh) {
    const session = requireMaker(mesh?.session, SEARCH);
    const { wasm } = session;
    session.check(wasm.search_create(addressOf(mesh, NAV_MESH)));
    super(session, SEARCH, session.u32[session.answer], (search) => wasm.search_destroy(search), mesh.handle);
    this.#mesh = mesh;
  }

  /**
   * Begins a search; a former one is given up. The filter is as it is now, but costs of single polygons may change: a kept
   * filter must not be freed before the search is finished.
   * @param {number} startPolygon reference @param {Point} start @param {number} endPolygon reference @param {Point} end
   * @param {SearchOptions} [options]
   */
  begin(startPolygon, start, endPolygon, end, options = NO_OPTIONS) {
    const address = addressOf(this, SEARCH);
    const { session } = this;
    session.refresh();
    requireReference(startPolygon, 'startPolygon');
    requireReference(endPolygon, 'endPolygon');
    writePoint(session, 0, start, 'start');
    writePoint(session, 3, end, 'end');
    writeSearchOptions(this.#mesh, requireOptions(options, SEARCH_NAMES));
    this.#filter = options.filter instanceof Filter ? options.filter : undefined;
    session.check(session.wasm.search_begin(session.handle, address, startPolygon, endPolygon));
  }

  /**
   * Goes on for as many polygons at most.
   * @param {number} budget polygons
   * @returns {boolean} whether it is done
   */
  advance(budget) {
    const address = addressOf(this, SEARCH);
    const { session } = this;
    this.#filter?.handle.check();
    session.check(session.wasm.search_advance(session.handle, address, requireCount(budget, 'budget', COUNT_LIMIT)));
    return session.u32[session.answer] !== 0;
  }

  /**
   * The corridor; of a search that is not done, the way to the nearest place so far, with the reason `unfinished`. It
   * may be advanced and finished again.
   * @param {Corridor} [out] an earlier answer, to be filled in anew
   * @returns {Corridor}
   */
  finish(out = undefined) {
    const address = addressOf(this, SEARCH);
    const { session } = this;
    this.#filter?.handle.check();
    session.check(session.wasm.search_finish(session.handle, address));
    return readCorridor(session, out);
  }

  /**
   * As finish, but to the last polygon of an existing corridor that the search has met, which need not be the nearest: to
   * mend that corridor with.
   * @param {ArrayLike<number> | Corridor} corridor references
   * @param {Corridor} [out] an earlier answer, to be filled in anew
   * @returns {Corridor}
   */
  finishAlong(corridor, out = undefined) {
    const address = addressOf(this, SEARCH);
    const { session } = this;
    this.#filter?.handle.check();
    const count = requireCorridor(corridor);
    const room = session.room(8 * count);
    writeReferences(session, room, polygonsOf(corridor), count, 'corridor');
    session.check(session.wasm.search_finish_along(session.handle, address, room, count));
    return readCorridor(session, out);
  }
}
