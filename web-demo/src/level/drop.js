/** Accepts files dropped anywhere on the page, and shows a drop target while they are above it. */
import { html, nothing } from 'lit';
import { icon } from '../ui/icon.js';

/** @typedef {import('../app.js').App} App */

/** True if the drag contains files. @param {DragEvent} event */
const hasFiles = (event) => event.dataTransfer?.types.includes('Files') ?? false;

/** @param {DataTransfer} transfer @returns {{ files: File[], folders: string[] }} */
function droppedFiles(transfer) {
  const items = Array.from(transfer.items).filter(({ kind }) => kind === 'file');
  const entries = items.map((item) => ({ file: item.getAsFile(), entry: item.webkitGetAsEntry?.() }));
  return {
    files: entries.flatMap(({ file, entry }) => (file && !entry?.isDirectory ? [file] : [])),
    folders: entries.flatMap(({ entry }) => (entry?.isDirectory ? [entry.name] : [])),
  };
}

/** @param {App} app @param {(files: File[], folders: string[]) => void} open */
export function acceptDrops(app, open) {
  let isOver = false;
  /** Number of entered elements: every dragenter is followed by a dragleave. */
  let depth = 0;
  const show = (/** @type {boolean} */ over) => {
    if (!over) depth = 0;
    if (over === isOver) return;
    isOver = over;
    app.panels.refresh();
  };
  app.panels.addOverlay('drop', () => (isOver ? html`
    <div class="drop-target"><div>${icon('upload')}<strong>Drop a level here</strong><span>OBJ, GLB, or glTF + .bin</span></div></div>` : nothing));
  window.addEventListener('dragenter', (event) => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    depth++;
    show(true);
  });
  window.addEventListener('dragover', (event) => {
    if (!hasFiles(event) || !event.dataTransfer) return;
    event.preventDefault();
    event.dataTransfer.dropEffect = 'copy';
  });
  window.addEventListener('dragleave', (event) => {
    if (hasFiles(event) && --depth <= 0) show(false);
  });
  window.addEventListener('drop', (event) => {
    if (!hasFiles(event) || !event.dataTransfer) return;
    event.preventDefault();
    show(false);
    const { files, folders } = droppedFiles(event.dataTransfer);
    open(files, folders);
  });
}
