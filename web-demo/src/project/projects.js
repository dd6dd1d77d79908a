/** The project: what was made in the tool, as a file to save and open, and stored in the browser meanwhile. */
import { hashesDiffer, keyOfFiles } from '../level/hashes.js';
import { findFiles, storeFiles } from '../level/stored-levels.js';
import { download, sizeOf, stemOf } from '../save/exports.js';
import { tellUndoable } from '../ui/notices.js';
import { applyCamera } from '../view/camera.js';
import { Autosave } from './autosave.js';
import { PROJECT_ENDING, WrongProject, describeUnknown, readProject, writeProject } from './project-file.js';
import { hasWork, nameWork } from './work.js';

/** @typedef {import('../app.js').App} App */
/** @typedef {import('../state/document.js').Document} Document */
/** @typedef {import('../state/document.js').View} View */

export class Projects {
  #app;
  #autosave;
  /** The document of the last save, as JSON. */
  #saved = '';
  /** @type {{ document: Document | null, isDirty: boolean }} */
  #compared = { document: null, isDirty: false };
  /** The project's file, and the level that it was saved with. @type {{ file: string, level: string } | null} */
  #named = null;

  /** @param {App} app @param {import('./work-store.js').Work} work */
  constructor(app, work) {
    this.#app = app;
    this.#autosave = new Autosave(app, work);
    const { level } = app.store.state.document;
    this.#named = work.own?.name ? { file: work.own.name, level: level.name } : null;
    // After a reload, work that was saved is still saved.
    if (!work.own?.isDirty) this.#saved = JSON.stringify(app.store.state.document);
  }

  start() {
    this.#app.levels.addImporter({
      endings: [PROJECT_ENDING],
      accepts: (files) => files.some(({ name }) => name.toLowerCase().endsWith(PROJECT_ENDING)),
      open: (files) => this.#openFiles(files),
    });
    this.#app.shortcuts.add(
      { keys: 'ctrl+s', label: 'Save project', group: 'Save', run: () => void this.save() },
      { keys: 'ctrl+o', label: 'Open file', group: 'Save', run: () => this.#app.levels.pick() },
    );
    this.#autosave.start();
  }

  /** The name of the project's file; null: it has none. */
  get name() {
    return this.#named?.level === this.#app.store.state.document.level.name ? this.#named.file : null;
  }

  /** True if the user made something that no project file has. */
  get isDirty() {
    const { document } = this.#app.store.state;
    if (this.#compared.document !== document) {
      this.#compared = { document, isDirty: hasWork(document) && JSON.stringify(document) !== this.#saved };
    }
    return this.#compared.isDirty;
  }

  /** True while a change isn't stored in the browser yet. */
  get isStoring() {
    return this.#autosave.isPending;
  }

  /** Saves the project as a file. @param {{ withLevel?: boolean }} [options] withLevel: the file includes the level's files */
  async save({ withLevel = false } = {}) {
    const { store, notices } = this.#app;
    const { document, view } = store.state;
    const { kind, name, key } = document.level;
    const files = withLevel && key !== undefined ? await findFiles(key) : [];
    if (!files) {
      notices.warn(`Can't include ${name}`, 'This browser no longer has the file. Open it again, then save.');
      return;
    }
    const file = this.name ?? stemOf(this.#app) + PROJECT_ENDING;
    const size = download(file, writeProject(document, view, files), 'application/octet-stream');
    this.#markSaved(document, file);
    const isApart = kind === 'file' && files.length === 0;
    notices.info(`Saved ${file}`, `${sizeOf(size)}.${isApart ? ` It doesn't contain ${name}. On another machine, the tool asks for that file.` : ''}`);
  }

  /** @param {Document} document @param {string} name */
  #markSaved(document, name) {
    this.#saved = JSON.stringify(document);
    this.#compared = { document: null, isDirty: false };
    this.#named = { file: name, level: document.level.name };
    this.#autosave.schedule();
    this.#app.panels.refresh();
  }

  /** @param {readonly File[]} files */
  async #openFiles(files) {
    const [file] = files.filter(({ name }) => name.toLowerCase().endsWith(PROJECT_ENDING));
    if (files.length > 1) throw new WrongProject(`${file.name} was opened with other files. Open it alone.`);
    await this.open(file);
  }

  /** Opens a project file; throws if it can't be read, and changes nothing then. @param {File} file */
  async open(file) {
    const { store, notices } = this.#app;
    const { unknown, files, document, view } = await readProject(file, file.name);
    if (files.length > 0) await this.#storeLevel(file.name, document.level, files);
    const wasDirty = this.isDirty;
    const before = store.state.document;
    this.show({ document, view }, `open ${file.name}`);
    this.#markSaved(store.state.document, file.name);
    if (wasDirty) tellUndoable(this.#app, `Opened ${file.name}`, `Undo brings your unsaved work on ${before.level.name} back: ${nameWork(before)}.`);
    else notices.info(`Opened ${file.name}`);
    if (unknown.length > 0) notices.warn(`${file.name} is from a newer version`, describeUnknown(unknown));
  }

  /** Stores the level that a project includes, once its hash is checked. @param {string} project @param {Document['level']} level @param {import('../level/messages.js').LevelFile[]} files */
  async #storeLevel(project, { name, key }, files) {
    const found = await keyOfFiles(files);
    if (key !== undefined && hashesDiffer(key, found)) throw new WrongProject(`${project} is damaged: the contents of ${name} don't match their hash.`);
    if (!await storeFiles(key ?? found, files)) this.#app.notices.warn(`Can't store ${name} in this browser`, 'Open the project again after a reload.');
  }

  /**
   * Shows a document and its view, as one undo step. The theme and the panels stay as they are on this machine.
   * @param {{ document: Document, view: View }} state @param {string} label of the undo step
   */
  show({ document, view }, label) {
    const { store, levels } = this.#app;
    const { theme, picture, panels } = store.state.view;
    store.commit();
    store.edit(label, (draft) => { Object.assign(draft, document); }, { isStep: true });
    store.commit();
    store.setView({ ...view, theme, picture, panels });
    if (view.camera !== null) levels.keepCamera();
    applyCamera(this.#app);
  }
}
