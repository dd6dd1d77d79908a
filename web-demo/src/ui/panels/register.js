/** Registers all parts around the view in display order. */
import { addProjectBar } from '../../project/project-bar.js';
import { addProblemsPanel } from '../../problems/problems-panel.js';
import { addSaveBar } from '../../save/save-bar.js';
import { addBakePanel } from './bake-panel.js';
import { addEditBar } from './edit-bar.js';
import { addLayersPanel } from './layers-panel.js';
import { addLevelPanel } from './level-panel.js';
import { addReportPanel } from './report-panel.js';
import { addToolPanel } from './tool-panel.js';
import { addViewsPanel } from './views-panel.js';
import { addWelcome } from './welcome.js';

/** @param {import('../../app.js').App} app */
export function registerPanels(app) {
  for (const add of [addLevelPanel, addBakePanel, addReportPanel, addProblemsPanel, addEditBar, addViewsPanel, addToolPanel, addLayersPanel, addProjectBar, addSaveBar, addWelcome]) add(app);
}
