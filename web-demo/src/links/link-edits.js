/** Changes of links by the user, as undo steps: links of a place forbidden and allowed, pinned and unpinned; settings that make one. */
import { nextId } from '../state/document.js';
import { isAtPlace, placeOfLink, toPinned } from './link-sync.js';

/** @typedef {import('../app.js').App} App */
/** @typedef {import('walkmesh').SegmentLink} SegmentLink */
/** @typedef {import('../state/document.js').Document} Document */

/** The cell size and step height of the mesh. @param {App} app */
const meshOf = ({ bakes, store }) => bakes.current?.navMesh.parameters ?? store.state.document.config;

/** The pinned link of the document that a link is, or that it stands in for. @param {App} app @param {SegmentLink} link */
export const pinOf = (app, link) => app.store.state.document.pinnedLinks.find((pinned) => (
  link.byHand ? pinned.id === link.userId : isAtPlace(link, placeOfLink(pinned), meshOf(app))));

/** @param {App} app @param {string} step @param {(draft: Document) => void} change */
function edit({ store }, step, change) {
  store.commit();
  store.edit(step, change);
  store.commit();
}

/** Switches links of this kind off at the place of a link, also those of later bakes. @param {App} app @param {SegmentLink} link */
export function forbidLink(app, link) {
  edit(app, `forbid ${link.kind}`, ({ forbiddenLinks }) => { forbiddenLinks.push({ id: nextId(forbiddenLinks), ...placeOfLink(link) }); });
}

/** Allows links at the place of a link again. @param {App} app @param {SegmentLink} link */
export function allowLink(app, link) {
  edit(app, `allow ${link.kind}`, (draft) => { draft.forbiddenLinks = draft.forbiddenLinks.filter((place) => !isAtPlace(link, place, meshOf(app))); });
}

/** Stores a link, so that it stays when the settings no longer generate it. @param {App} app @param {SegmentLink} link */
export function pinLink(app, link) {
  edit(app, `pin ${link.kind}`, ({ pinnedLinks }) => { pinnedLinks.push({ id: nextId(pinnedLinks), ...toPinned(link) }); });
}

/** Removes an entry of the document. @param {App} app @param {'forbiddenLinks' | 'pinnedLinks'} list @param {number} id @param {string} step */
export function removeEntry(app, list, id, step) {
  edit(app, step, (draft) => { draft[list] = /** @type {any} */ (/** @type {{ id: number }[]} */ (draft[list]).filter((item) => item.id !== id)); });
}

/** @param {App} app @param {import('./link-words.js').LinkFix} fix */
export function applyLinkFix(app, { step, change }) {
  edit(app, step, ({ links }) => change(links));
  if (!app.store.state.view.autoBake) void app.links.generate();
}
