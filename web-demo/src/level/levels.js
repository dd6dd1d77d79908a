/** The open level: the one in the document, or a dropped or picked file. */
import { Box3, BufferAttribute, BufferGeometry, Mesh, Vector3 } from 'three';
import { MeshBVH, acceleratedRaycast } from 'three-mesh-bvh';
import { chooseLevel, PICKER_ENDINGS } from './choose-files.js';
import { acceptDrops } from './drop.js';
import { isClosed } from '../layers/shell.js';
import { makeLevelMaterial } from './level-material.js';
import { OPENING } from '../bake/bakes.js';
import { tellKept } from '../bake/kept.js';
import { beginWithWork, countWork } from '../project/work.js';
import { tellLost } from '../problems/tell-lost.js';
import { tellUndoable } from '../ui/notices.js';
import { applyCamera } from '../view/camera.js';
import { AS_IS, changedSettings, suggestImport } from './import-settings.js';
import { loadLevel } from './load-level.js';
import { chooseRole } from './missing-level.js';
import { findScene, SCENES } from './scenes.js';
import { findFiles, storeFiles } from './stored-levels.js';
import { pointsOf } from '../view/framing.js';

/** @typedef {import('../app.js').App} App */
/** @typedef {import('../state/document.js').Document} Document */
/** @typedef {import('../state/document.js').Point} Point */
/** @typedef {import('./messages.js').LevelFile} LevelFile */
/** @typedef {import('./messages.js').LevelRequest} LevelRequest */

/**
 * @typedef {object} Level
 * @property {string} name display name
 * @property {Float32Array} positions [vertices][3] world units
 * @property {Uint32Array} indices [triangles][3]
 * @property {Uint8Array} [areas] [triangles]; default: unmarked
 * @property {Mesh<BufferGeometry, import('three').MeshStandardMaterial>} mesh
 * @property {Box3} bounds
 * @property {number} triangles
 * @property {import('./find-risers.js').Riser[]} risers of its stairs
 * @property {boolean} isClosed true for interiors, which look closed from outside
 * @property {string} [hash] of its triangles
 * @property {import('walkmesh/level').LevelFacing | null} facing the direction of its ground; null: up
 */

/**
 * Opens files of other kinds, such as navigation meshes. Asked before the files are treated as a level.
 * @typedef {object} Importer
 * @property {string[]} endings file extensions with the dot, for the picker
 * @property {(files: readonly File[]) => boolean} accepts
 * @property {(files: readonly File[]) => void | Promise<void>} open thrown errors are shown
 */

/** Fields of a document that belong to one level: everything that is placed, and settings of tools. */
const EMPTY = { volumes: [], obstacles: [], connections: [], doors: [], forbiddenLinks: [], pinnedLinks: [], extra: {}, places: {} };

/** True if two documents have the same level. @param {Document['level'] | undefined} a @param {Document['level'] | undefined} b */
const isSame = (a, b) => a?.kind === b?.kind && a?.name === b?.name && a?.key === b?.key
  && JSON.stringify({ ...AS_IS, ...a?.import }) === JSON.stringify({ ...AS_IS, ...b?.import });

/** @param {Document['level']} level */
const labelOf = ({ kind, name }) => (kind === 'scene' ? findScene(name)?.label ?? name : name);

export class Levels {
  #app;
  /** @type {Level | null} */
  current = null;
  /** The bundled levels. */
  scenes = SCENES;
  /** @type {Importer[]} */
  #importers = [];
  /** The open level. @type {Document['level'] | undefined} */
  #shown;
  /** @type {AbortController | undefined} */
  #loading;
  /** The level that is shown by the camera of the state when it comes next, not framed. @type {Document['level'] | null} */
  #keepsCameraFor = null;

  /** @param {App} app */
  constructor(app) {
    this.#app = app;
  }

  /** @param {Importer} importer */
  addImporter(importer) {
    this.#importers.push(importer);
  }

  start() {
    this.#app.store.subscribe((state, previous) => {
      if (state.document.level === previous.document.level) return;
      this.#app.notices.closeAbout('file');
      void this.#follow();
    });
    acceptDrops(this.#app, (files, folders) => void this.openFiles(files, folders));
    void this.#follow();
  }

  /** Lets the user choose files. */
  pick() {
    const input = document.createElement('input');
    Object.assign(input, {
      type: 'file', multiple: true, accept: [...PICKER_ENDINGS, ...this.#importers.flatMap(({ endings }) => endings)].join(','),
    });
    input.addEventListener('change', () => void this.openFiles(Array.from(input.files ?? [])));
    input.click();
  }

  /** Opens a bundled level. @param {string} name */
  openScene(name) {
    const level = /** @type {Document['level']} */ ({ kind: 'scene', name });
    if (!isSame(level, this.#app.store.state.document.level)) tellKept(this.#app, level, labelOf(level));
    this.#commit(level);
  }

  /** Opens a level by its name, and waits until it is shown. @param {Document['level']} level */
  async open(level) {
    this.#commit(level);
    await this.#follow();
  }

  /** True if this page has the level. @param {Document['level']} level */
  async canOpen({ kind, name, key }) {
    return kind === 'scene' ? findScene(name) !== undefined : key !== undefined && await findFiles(key) !== undefined;
  }

  /** A better reading of the open file; null: none is known. */
  get importAdvice() {
    const { current } = this;
    const { level } = this.#app.store.state.document;
    if (!current || level.kind !== 'file') return null;
    const { min, max } = current.bounds;
    return suggestImport({ bounds: { min: min.toArray(), max: max.toArray() }, facing: current.facing }, level.import);
  }

  /** The name of a level for the user. @param {Document['level']} level */
  label(level) {
    return labelOf(level);
  }

  /** Opens dropped or picked files. Reports errors; the open level stays then. @param {readonly File[]} files @param {readonly string[]} [folders] */
  async openFiles(files, folders = []) {
    this.#app.notices.closeAbout('file');
    try {
      const importer = this.#importers.find((candidate) => candidate.accepts(files));
      if (importer) {
        await importer.open(files);
        return;
      }
      const { main, others } = chooseLevel(files, folders);
      await this.#openLevel([main, ...others].map((file) => ({ name: file.name, blob: file })));
    } catch (error) {
      this.#app.notices.error("Can't open this file", error, { topic: 'file' });
    }
  }

  /** @param {LevelFile[]} files */
  async #openLevel(files) {
    const [{ name }] = files;
    const wanted = this.#app.store.state.document.level;
    const settings = wanted.name === name ? wanted.import : undefined;
    const made = await this.#load({ files, import: settings }, name);
    if (!made) return;
    const { level, key = '' } = made;
    const role = await chooseRole(this.#app, { kind: 'file', name, key, ...(settings && { import: settings }) });
    if (!role) return;
    const { descriptor, keepsWork } = role;
    const stored = storeFiles(key, files);
    if (!keepsWork && !isSame(descriptor, wanted)) tellKept(this.#app, descriptor, name);
    this.#commit(descriptor, keepsWork);
    if (keepsWork && wanted.key !== key && countWork(this.#app.store.state.document) > 0) tellLost(this.#app, `${name} has changed`);
    const { min, max } = level.bounds;
    this.#keepsCameraFor = keepsWork && this.current?.bounds.intersectsBox(new Box3(new Vector3(...min), new Vector3(...max))) ? descriptor : null;
    // With other import settings, the level is made again from the stored file.
    const isReady = JSON.stringify(descriptor.import) === JSON.stringify(settings);
    if (isReady) this.#show(descriptor, level);
    for (const warning of level.warnings) this.#app.notices.warn(name, warning.replace(/\.?$/, '.'));
    if (!await stored) {
      this.#app.notices.warn(`Can't store ${name} in this browser`, 'Open it again after a reload.');
    }
    if (!isReady) await this.#follow();
  }

  /** Changes how the level's file is read, and makes it again. @param {Partial<import('./import-settings.js').ImportSettings>} patch */
  changeImport(patch) {
    this.#app.store.commit();
    this.#app.store.edit('change import settings', (draft) => {
      const { import: before, ...level } = draft.level;
      const settings = changedSettings({ ...before, ...patch });
      draft.level = settings ? { ...level, import: settings } : level;
    }, { merge: OPENING });
  }

  /**
   * Sets the level of the document. Objects of another level are removed with a message that brings them back.
   * @param {Document['level']} level @param {boolean} [keepsWork] true: it is the level that the objects were placed in
   */
  #commit(level, keepsWork = false) {
    const { store } = this.#app;
    const { document: before, view: { camera, clip } } = store.state;
    if (isSame(level, before.level)) return;
    this.#keepsCameraFor = null;
    store.commit();
    store.edit(`open ${labelOf(level)}`, (draft) => {
      draft.level = level;
      if (keepsWork) return;
      Object.assign(draft, EMPTY);
      delete draft.config.bounds;
    }, { merge: OPENING });
    if (keepsWork) return;
    store.setView({ camera: null, clip: null });
    if (countWork(before) === 0 && !before.config.bounds) return;
    const keep = { label: `Keep them in ${labelOf(level)}`, run: () => this.#keepWork(before, { camera, clip }) };
    tellUndoable(this.#app, `Opened ${labelOf(level)}`,
      `${beginWithWork(before)} of ${labelOf(before.level)} ${countWork(before) === 1 ? 'was' : 'were'} removed.`,
      { label: `Reopen ${labelOf(before.level)}`, others: level.kind === 'file' && before.level.kind === 'file' ? [keep] : [] });
  }

  /**
   * Places the objects of another level in this one, as in a new version of its file: with its import settings, bake bounds and camera.
   * @param {Document} before @param {Pick<import('../state/document.js').View, 'camera' | 'clip'>} view
   */
  #keepWork(before, view) {
    const { store } = this.#app;
    store.commit();
    store.edit(`keep the objects in ${labelOf(store.state.document.level)}`, (draft) => {
      for (const list of /** @type {(keyof typeof EMPTY)[]} */ (Object.keys(EMPTY))) Object.assign(draft, { [list]: before[list] });
      if (before.config.bounds) draft.config.bounds = before.config.bounds;
      if (before.level.import) draft.level.import = before.level.import;
    });
    store.commit();
    store.setView(view);
    this.keepCamera();
    applyCamera(this.#app);
    tellLost(this.#app, `${beginWithWork(before)} ${countWork(before) === 1 ? 'was' : 'were'} kept`);
  }

  /** The level of the document is shown by the camera of the state, if it isn't shown yet. */
  keepCamera() {
    const { level } = this.#app.store.state.document;
    this.#keepsCameraFor = isSame(level, this.#shown) ? null : level;
  }

  /** Its vertices, for framing. @type {Float32Array | undefined} */
  #points;

  /** The level that #follow loads. @type {{ wanted: Document['level'], done: Promise<void> } | null} */
  #following = null;

  /** True while the document's level is loaded, as with other import settings. */
  get isLoading() {
    return this.#following !== null;
  }

  /** Loads the document's level. */
  async #follow() {
    const wanted = this.#app.store.state.document.level;
    if (isSame(wanted, this.#shown)) return;
    if (!isSame(wanted, this.#following?.wanted)) this.#following = { wanted, done: this.#loadWanted(wanted) };
    const following = this.#following;
    await following?.done;
    if (this.#following === following) this.#following = null;
  }

  /** @param {Document['level']} wanted */
  async #loadWanted(wanted) {
    try {
      const request = await this.#findSource(wanted);
      const made = request && await this.#load({ ...request, import: wanted.import }, labelOf(wanted));
      if (made && isSame(wanted, this.#app.store.state.document.level)) this.#show(wanted, made.level);
    } catch (error) {
      this.#app.notices.error(`Can't open ${labelOf(wanted)}`, error, { topic: 'file' });
    }
  }

  /** @param {Document['level']} level @returns {Promise<import('./messages.js').LevelSource | undefined>} */
  async #findSource(level) {
    const { kind, name, key } = level;
    if (kind === 'scene') {
      if (!findScene(name)) throw new Error(`Unknown level. Use one of: ${SCENES.map((scene) => scene.label).join(', ')}.`);
      return { scene: name, url: new URL(`./levels/${name}.obj`, document.baseURI).href };
    }
    const files = key === undefined ? undefined : await findFiles(key);
    if (files) return { files };
    this.#app.store.setSession({ missing: name });
    this.#app.notices.warn(`Open ${name} to continue`, "This browser doesn't have the file. Drop it on the page.", [
      { label: 'Open file', run: () => this.pick() },
    ], { topic: 'missing' });
    return undefined;
  }

  /** Makes a level; undefined if it was cancelled or replaced by another. @param {LevelRequest} request @param {string} name */
  async #load(request, name) {
    this.#loading?.abort();
    const loading = this.#loading = new AbortController();
    const report = (/** @type {import('./messages.js').LevelProgress} */ progress) => {
      if (loading === this.#loading) this.#app.store.setSession({ loading: { name, ...progress } });
    };
    report({ step: 'Loading', share: null });
    try {
      return await loadLevel(request, { signal: loading.signal, onProgress: report });
    } catch (error) {
      if (loading.signal.aborted) return undefined;
      throw error;
    } finally {
      if (loading === this.#loading) {
        this.#loading = undefined;
        this.#app.store.setSession({ loading: null });
      }
    }
  }

  /** Cancels loading; the open level stays. */
  cancel() {
    const shown = this.#shown;
    this.#loading?.abort();
    if (shown && !isSame(shown, this.#app.store.state.document.level)) {
      this.#app.store.edit(`keep ${labelOf(shown)}`, (draft) => { draft.level = shown; });
    }
  }

  /** Moves the camera so that the whole level is seen. @param {Vector3} [direction] view direction */
  frame(direction) {
    if (this.current) this.#app.viewport.frameBox(this.current.bounds, direction, this.#points ??= pointsOf(this.current.positions, this.current.bounds));
  }

  /** @param {Document['level']} descriptor @param {import('./make-level.js').MadeLevel} made */
  #show(descriptor, { positions, indices, areas, bounds: { min, max }, tree, risers, hash, facing }) {
    const geometry = new BufferGeometry();
    geometry.setAttribute('position', new BufferAttribute(positions, 3));
    geometry.setIndex(new BufferAttribute(indices, 1));
    const bounds = new Box3(new Vector3(...min), new Vector3(...max));
    geometry.boundingBox = bounds.clone();
    geometry.boundsTree = MeshBVH.deserialize(tree, geometry, { setIndex: false });
    const mesh = new Mesh(geometry, makeLevelMaterial(bounds));
    mesh.material.clippingPlanes = this.#app.viewport.clippingPlanes;
    Object.assign(mesh, { castShadow: true, receiveShadow: true });
    mesh.raycast = acceleratedRaycast;
    const { current: old } = this;
    const [name, triangles] = [labelOf(descriptor), indices.length / 3];
    this.#shown = descriptor;
    this.#points = undefined;
    this.current = { name, positions, indices, areas, mesh, bounds, triangles, risers, isClosed: isClosed(/** @type {MeshBVH} */ (geometry.boundsTree), bounds), hash, facing };
    this.#app.store.setSession({ missing: null, level: { name, triangles, bounds: { min: /** @type {Point} */ (min), max: /** @type {Point} */ (max) } } });
    this.#app.viewport.level = mesh;
    this.#app.viewport.setBounds(bounds);
    if (!isSame(descriptor, this.#keepsCameraFor ?? undefined) && (old || !this.#app.store.state.view.camera)) this.frame();
    this.#keepsCameraFor = null;
    this.#app.notices.closeAbout('missing');
    this.#app.notices.closeAbout('level');
    this.#app.events.emit('level', this.current);
    old?.mesh.geometry.dispose();
    old?.mesh.material.dispose();
  }
}
