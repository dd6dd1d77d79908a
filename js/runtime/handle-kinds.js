/** The kinds of handles: their names in messages, and the methods that make them. */

/** @typedef {{ readonly noun: string, readonly maker: string }} HandleKind */

/** @type {HandleKind} */
export const WALKMESH = { noun: 'Walkmesh', maker: 'await load()' };
/** @type {HandleKind} */
export const NAV_MESH = { noun: 'navigation mesh', maker: 'bake or loadNavMesh of a Walkmesh' };
/** @type {HandleKind} */
export const BAKER = { noun: 'baker', maker: 'createBaker of a Walkmesh' };
/** @type {HandleKind} */
export const FILTER = { noun: 'filter', maker: 'createFilter of a navigation mesh' };
/** @type {HandleKind} */
export const ISLANDS = { noun: 'set of islands', maker: 'islands of a navigation mesh' };
/** @type {HandleKind} */
export const TILE_GRAPH = { noun: 'tile graph', maker: 'createTileGraph of a navigation mesh' };
/** @type {HandleKind} */
export const SEARCH = { noun: 'search', maker: 'createSearch of a navigation mesh' };
/** @type {HandleKind} */
export const CORRIDOR = { noun: 'corridor', maker: 'createCorridor of a navigation mesh' };
/** @type {HandleKind} */
export const DYNAMIC = { noun: 'dynamic navigation mesh', maker: 'bakeDynamic or loadDynamic of a Walkmesh' };
/** @type {HandleKind} */
export const SWITCHES = { noun: 'set of switches', maker: 'createSwitches of a navigation mesh' };
/** @type {HandleKind} */
export const LINK_GENERATOR = { noun: 'link generator', maker: 'createLinkGenerator of a Walkmesh' };
/** @type {HandleKind} */
export const CROWD = { noun: 'crowd', maker: 'createCrowd or loadCrowd of a navigation mesh' };
