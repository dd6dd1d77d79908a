/** The level tool. */
import { load } from 'walkmesh';
import { Bakes } from './bake/bakes.js';
import { Comparison } from './compare/comparison.js';
import { Edits } from './edit/edits.js';
import { Islands } from './ground/islands.js';
import { StartMarker } from './ground/start-marker.js';
import { registerLayers } from './layers/register.js';
import { Layers } from './layers/layers.js';
import { Levels } from './level/levels.js';
import { Links } from './links/links.js';
import { Events } from './state/events.js';
import { Stages } from './stages/stages.js';
import { defaultDocument, defaultSession, defaultView } from './state/document.js';
import { Store } from './state/store.js';
import { followUrl, readHash } from './state/url.js';
import { checkDocument, checkView } from './state/validate.js';
import { registerTools } from './tools/register.js';
import { Tools } from './tools/tools.js';
import './ui/components.js';
import { Projects } from './project/projects.js';
import { findWork } from './project/work-store.js';
import { Questions } from './ui/ask.js';
import { Notices } from './ui/notices.js';
import { addPalette } from './ui/palette.js';
import { Problems } from './problems/problems.js';
import { Panels } from './ui/panels.js';
import { makeShell } from './ui/shell.js';
import { Shortcuts } from './ui/shortcuts.js';
import { followTheme } from './ui/theme.js';
import { followCamera } from './view/camera.js';
import { addNavigation } from './view/navigation.js';
import { Frames } from './view/frames.js';
import { Handles } from './view/handles.js';
import { Picking } from './view/picking.js';
import { Viewport } from './view/viewport.js';
import './view/styles.css';
import './tools/tools.css';

/** @typedef {import('./app.js').App} App */

/** Reads the state from the address; reports an invalid address and starts with the defaults. */
async function readAddress() {
  try {
    return { ...(await readHash(location.hash.slice(1))), isBroken: false };
  } catch {
    return { document: defaultDocument(), view: defaultView(), isBroken: true };
  }
}

const shell = makeShell(/** @type {HTMLElement} */ (document.querySelector('#app')));
const [walkmesh, { isBroken, ...address }, work] = await Promise.all([load(), readAddress(), findWork(location.hash.slice(1))]);
// After a reload, the work of this page is newer than its address, or the same.
const state = work.own ? { document: checkDocument(work.own.document), view: checkView(work.own.view) } : address;

const app = /** @type {App} */ ({ walkmesh, events: new Events(), store: new Store({ ...state, session: defaultSession() }) });
app.frames = new Frames();
app.viewport = new Viewport(shell.view, app.frames, app.store.state.view.picture);
app.picking = new Picking(app);
app.notices = new Notices(shell.notices);
app.shortcuts = new Shortcuts(app);
app.panels = new Panels(app, shell);
app.handles = new Handles(app);
app.tools = new Tools(app);
app.layers = new Layers(app);
app.levels = new Levels(app);
app.bakes = new Bakes(app);
app.islands = new Islands(app);
app.stages = new Stages(app);
app.edits = new Edits(app);
app.links = new Links(app);
app.questions = new Questions(app);
app.projects = new Projects(app, work);
app.comparison = new Comparison(app);
app.problems = new Problems(app);

registerLayers(app);
registerTools(app);
followTheme(app);
followCamera(app);
addNavigation(app);
addPalette(app);
for (const part of [
  app.panels, app.shortcuts, app.islands, new StartMarker(app), app.layers, app.tools, app.edits, app.links, app.comparison, app.problems, app.bakes, app.stages, app.questions, app.levels, app.projects,
]) part.start();
followUrl(app.store);
if (isBroken) app.notices.warn("Can't read the state in the address: the tool starts with its defaults.");

/** For tests. */
Object.assign(window, { walkmeshTool: app });
