/** Registers all parts around the view in display order. */
import { addProblemsPanel } from '../../problems/problems-panel.js';
import { addSaveBar } from '../../save/save-bar.js';
import { addBakePanel } from './bake-panel.js';
import { addEditBar } from './edit-bar.js';
import { addLayersPanel } from './layers-panel.js';
import { addLevelPanel } from './level-panel.js';
import { addReportPanel } from './report-panel.js';
import { addToolPanel } from './tool-panel.js';

/** @param {import('../../app.js').App} app */
export function registerPanels(app) {
  for (const add of [addLevelPanel, addBakePanel, addReportPanel, addProblemsPanel, addEditBar, addLayersPanel, addToolPanel, addSaveBar]) add(app);
}
