/** What lives in the module's memory, as messages name it, and what makes it. */

/** @typedef {{ readonly what: string, readonly maker: string }} Kind */

/** @type {Kind} */
export const WALKMESH = { what: 'Walkmesh', maker: 'load(), which is awaited' };
/** @type {Kind} */
export const NAV_MESH = { what: 'navigation mesh', maker: 'bake or loadNavMesh of what load() gives' };
/** @type {Kind} */
export const BAKER = { what: 'baker', maker: 'createBaker of what load() gives' };
/** @type {Kind} */
export const FILTER = { what: 'filter', maker: 'createFilter of a navigation mesh' };
/** @type {Kind} */
export const ISLANDS = { what: 'set of islands', maker: 'islands of a navigation mesh' };
/** @type {Kind} */
export const SEARCH = { what: 'search', maker: 'createSearch of a navigation mesh' };
/** @type {Kind} */
export const CORRIDOR = { what: 'corridor', maker: 'createCorridor of a navigation mesh' };
/** @type {Kind} */
export const DYNAMIC = { what: 'dynamic navigation mesh', maker: 'bakeDynamic or loadDynamic of what load() gives' };
/** @type {Kind} */
export const SWITCHES = { what: 'set of switches', maker: 'createSwitches of a navigation mesh' };
/** @type {Kind} */
export const CROWD = { what: 'crowd', maker: 'createCrowd of a navigation mesh' };
