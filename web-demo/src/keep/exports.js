/** What can be taken out of the tool, as files. */
import { configurationText } from './configuration.js';
import { objOf } from './obj-file.js';

/** @typedef {import('../app.js').App} App */

/**
 * @typedef {object} Export
 * @property {string} id
 * @property {string} label
 * @property {string} hint what it is for, in a few words
 * @property {string} icon
 * @property {string} suffix of the file's name, behind that of the level
 * @property {string} type of its contents
 * @property {(app: App) => string | null} unavailable why it cannot be had now; null: it can
 * @property {(app: App) => BlobPart | Promise<BlobPart>} make
 */

/** The level's name without its ending. @param {App} app */
export const stemOf = (app) => app.store.state.document.level.name.replace(/\.(obj|glb|gltf)$/i, '');

/** The file that the level is. @param {App} app */
export function levelFileOf(app) {
  const { kind, name } = app.store.state.document.level;
  return kind === 'file' && /\.(obj|glb|gltf)$/i.test(name) ? name : `${stemOf(app)}.obj`;
}

/** @param {App} app */
const meshOf = (app) => /** @type {NonNullable<App['bakes']['current']>} */ (app.bakes.current);

/** @param {App} app */
const needsMesh = (app) => (app.bakes.current ? null : 'nothing is baked yet');

/** @param {App} app */
function needsDynamic(app) {
  return needsMesh(app) ?? (meshOf(app).dynamic ? null : 'the mesh is a single tile, or came from a file without what changes it');
}

/** Bytes of the package, as a part of a file. @param {Uint8Array} bytes */
const part = (bytes) => /** @type {BlobPart} */ (/** @type {unknown} */ (bytes));

const BINARY = 'application/octet-stream';

/** @param {App} app @returns {Promise<Blob>} what the view shows */
async function takePicture(app) {
  app.viewport.drawNow();
  const blob = await new Promise((resolve) => { app.viewport.canvas.toBlob(resolve, 'image/png'); });
  if (!blob) throw new Error('The browser could not make the picture.');
  return /** @type {Blob} */ (blob);
}

/** @type {Export[]} */
export const EXPORTS = [
  {
    id: 'walkmesh', label: 'Navigation mesh', hint: 'with its configuration, to load in Walkmesh', icon: 'save', suffix: '.walkmesh', type: BINARY,
    unavailable: needsMesh, make: (app) => part(meshOf(app).navMesh.save()),
  },
  {
    id: 'dynamic', label: 'Mesh that changes', hint: 'with obstacles, and what it takes to build tiles again', icon: 'save', suffix: '-dynamic.walkmesh',
    type: BINARY, unavailable: needsDynamic, make: (app) => part(/** @type {any} */ (meshOf(app).dynamic).save()),
  },
  {
    id: 'detour', label: 'Detour set', hint: 'tiles as Detour and its ports read them', icon: 'download', suffix: '.bin', type: BINARY,
    unavailable: needsMesh, make: (app) => part(meshOf(app).navMesh.exportDetour()),
  },
  {
    id: 'glb', label: 'Surface as GLB', hint: 'for Blender and engines, coloured by area', icon: 'cuboid', suffix: '-mesh.glb', type: 'model/gltf-binary',
    unavailable: needsMesh,
    // The writer of glTF is a large library: fetched when it is asked for.
    make: async (app) => part(await (await import('./glb-file.js')).glbOf(meshOf(app).navMesh, { name: stemOf(app) })),
  },
  {
    id: 'obj', label: 'Surface as OBJ', hint: 'triangles with height detail, a group an area', icon: 'cuboid', suffix: '-mesh.obj', type: 'text/plain',
    unavailable: needsMesh, make: (app) => objOf(meshOf(app).navMesh, { name: stemOf(app) }),
  },
  {
    id: 'config', label: 'Configuration', hint: 'JSON: opens here, and in walkmesh bake --config', icon: 'sliders-horizontal', suffix: '.config.json',
    type: 'application/json', unavailable: () => null, make: (app) => configurationText(app.store.state.document.config),
  },
  {
    id: 'picture', label: 'Picture of the view', hint: 'PNG, as large as the view is', icon: 'image', suffix: '.png', type: 'image/png',
    unavailable: () => null, make: takePicture,
  },
];

/** Hands a file to the browser. @param {string} name @param {BlobPart} contents @param {string} type */
export function download(name, contents, type) {
  const address = URL.createObjectURL(new Blob([contents], { type }));
  Object.assign(document.createElement('a'), { href: address, download: name }).click();
  // The browser has read it by then.
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

/** Makes a file and hands it to the browser; what goes wrong is told. @param {App} app @param {string} id */
export async function exportFile(app, id) {
  const { label, suffix, type, unavailable, make } = /** @type {Export} */ (EXPORTS.find((candidate) => candidate.id === id));
  const reason = unavailable(app);
  if (reason) {
    app.notices.warn(`${label} cannot be had now`, `${reason[0].toUpperCase()}${reason.slice(1)}.`);
    return;
  }
  try {
    download(stemOf(app) + suffix, await make(app), type);
  } catch (error) {
    app.notices.error(`${label} could not be made`, error);
  }
}
