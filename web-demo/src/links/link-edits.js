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

/** The words for links of a kind. @param {readonly SegmentLink[]} links at least one */
const wordsOf = (links) => (links.length === 1 ? links[0].kind : `${links.length} ${links[0].kind}s`);

/** Switches links off at the places of links, also those of later bakes. @param {App} app @param {readonly SegmentLink[]} links of a kind, at least one */
export function forbidLinks(app, links) {
  edit(app, `forbid ${wordsOf(links)}`, ({ forbiddenLinks }) => { for (const link of links) forbiddenLinks.push({ id: nextId(forbiddenLinks), ...placeOfLink(link) }); });
}

/** Allows links at the places of links again. @param {App} app @param {readonly SegmentLink[]} links of a kind, at least one */
export function allowLinks(app, links) {
  edit(app, `allow ${wordsOf(links)}`, (draft) => {
    draft.forbiddenLinks = draft.forbiddenLinks.filter((place) => !links.some((link) => isAtPlace(link, place, meshOf(app))));
  });
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
