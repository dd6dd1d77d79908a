/** The parts of the tool and how they reach each other. */

/**
 * @typedef {object} App
 * @property {import('./state/store.js').Store} store
 * @property {import('./state/events.js').Events} events
 * @property {import('./view/frames.js').Frames} frames
 * @property {import('./view/viewport.js').Viewport} viewport
 * @property {import('./view/picking.js').Picking} picking
 * @property {import('./view/handles.js').Handles} handles
 * @property {import('./level/levels.js').Levels} levels
 * @property {import('./bake/bakes.js').Bakes} bakes
 * @property {import('./stages/stages.js').Stages} stages
 * @property {import('./edit/edits.js').Edits} edits
 * @property {import('./links/links.js').Links} links
 * @property {import('./compare/comparison.js').Comparison} comparison
 * @property {import('./problems/problems.js').Problems} problems
 * @property {import('./ground/islands.js').Islands} islands
 * @property {import('./layers/layers.js').Layers} layers
 * @property {import('./tools/tools.js').Tools} tools
 * @property {import('./ui/notices.js').Notices} notices
 * @property {import('./ui/ask.js').Questions} questions
 * @property {import('./project/projects.js').Projects} projects
 * @property {import('./ui/panels.js').Panels} panels
 * @property {import('./ui/shortcuts.js').Shortcuts} shortcuts
 * @property {import('walkmesh').Walkmesh} walkmesh
 */
export {};
