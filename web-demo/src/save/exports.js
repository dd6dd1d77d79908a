/** The files that the tool exports. */
import { configurationText } from './configuration.js';
import { countWork, nameWork } from '../project/work.js';
import { Cancelled, exportDetour } from './detour-export.js';
import { writeMeshData } from './mesh-data.js';
import { objOf } from './obj-file.js';
import { costsInUse } from './snippet.js';

/** @typedef {import('../app.js').App} App */

/** @typedef {{ contents: BlobPart, note?: string }} Made note: what the file lacks */
/**
 * @typedef {object} Export
 * @property {string} id
 * @property {string} label
 * @property {string} hint purpose, in a few words
 * @property {string} icon
 * @property {string} suffix of the file name, after the level's name
 * @property {string} type media type of the contents
 * @property {(app: App) => string | null} unavailable why the export isn't possible now; null: it is
 * @property {(app: App) => Made | Promise<Made>} make rejects with Cancelled if the user cancels
 */

/** The level's name without its file extension. @param {App} app */
export const stemOf = (app) => app.store.state.document.level.name.replace(/\.(obj|glb|gltf)$/i, '');

/** The file name of the level. @param {App} app */
export function levelFileOf(app) {
  const { kind, name } = app.store.state.document.level;
  return kind === 'file' && /\.(obj|glb|gltf)$/i.test(name) ? name : `${stemOf(app)}.obj`;
}

/** @param {App} app */
const meshOf = (app) => /** @type {NonNullable<App['bakes']['current']>} */ (app.bakes.current);

/** @param {App} app */
const needsMesh = (app) => (app.bakes.current ? null : 'bake the level first');

/** @param {App} app */
function needsDynamic(app) {
  return needsMesh(app) ?? (meshOf(app).dynamic ? null : 'needs a mesh with tiles, baked here or opened with its obstacles');
}

/** Casts bytes of the package to part of a file. @param {Uint8Array} bytes */
const part = (bytes) => /** @type {BlobPart} */ (/** @type {unknown} */ (bytes));

const BINARY = 'application/octet-stream';

/** @param {App} app @returns {Promise<Blob>} picture of the view */
async function capturePicture(app) {
  app.viewport.drawNow();
  const blob = await new Promise((resolve) => { app.viewport.canvas.toBlob(resolve, 'image/png'); });
  if (!blob) throw new Error("The browser can't create the picture. Reduce the window size.");
  return /** @type {Blob} */ (blob);
}

/** @param {number} count @param {string} noun */
const counted = (count, noun) => `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`;

/** Names the objects that a file of the surface lacks. @param {App} app */
function surfaceNote({ store, bakes }) {
  const { connections, doors } = store.state.document;
  const missing = [
    ...(connections.length > 0 ? [counted(connections.length, 'connection')] : []), ...(doors.length > 0 ? [counted(doors.length, 'door')] : []),
    ...((bakes.current?.navMesh.segmentLinkCount ?? 0) > 0 ? [counted(/** @type {any} */ (bakes.current).navMesh.segmentLinkCount, 'link')] : []),
  ];
  return missing.length > 0 ? `Without ${missing.join(', ').replace(/, ([^,]*)$/, ' and $1')}: it has the surface only.` : '';
}

/** Names the work that is left to a program that loads the mesh: costs of areas aren't part of a mesh, nor is which doors are closed. @param {App} app */
function programNote({ store }) {
  const { document } = store.state;
  const costs = Object.entries(costsInUse(document)).map(([id, cost]) => `${id}: ${cost}`);
  return [
    costs.length > 0 ? `Paths need the costs of its areas: areaCosts { ${costs.join(', ')} }.` : '',
    document.doors.length > 0 ? 'Doors need restoreSwitches().' : '',
    costs.length > 0 || document.doors.length > 0 ? 'Bake code shows both.' : '',
  ].filter(Boolean).join(' ');
}

/** @type {Export[]} */
export const EXPORTS = [
  {
    id: 'walkmesh', label: 'Navigation mesh', hint: 'With its configuration, to load in Walkmesh', icon: 'save', suffix: '.walkmesh', type: BINARY,
    unavailable: needsMesh,
    make(app) {
      writeMeshData(app);
      const { length } = app.store.state.document.obstacles;
      const note = length > 0 && meshOf(app).dynamic ? `${counted(length, 'obstacle')} can't be moved in it: the dynamic mesh has the data for that.` : '';
      return { contents: part(meshOf(app).navMesh.save()), note: [note, programNote(app)].filter(Boolean).join(' ') };
    },
  },
  {
    id: 'dynamic', label: 'Dynamic mesh', hint: 'With obstacles and the data to rebuild tiles', icon: 'save', suffix: '-dynamic.walkmesh',
    type: BINARY, unavailable: needsDynamic,
    make(app) {
      writeMeshData(app);
      return { contents: part(/** @type {any} */ (meshOf(app).dynamic).save()), note: programNote(app) };
    },
  },
  {
    id: 'detour', label: 'Detour tile set', hint: 'For Detour and its ports', icon: 'download', suffix: '.bin', type: BINARY,
    unavailable: needsMesh,
    async make(app) {
      const { bytes, note } = await exportDetour(app);
      const { length } = app.store.state.document.doors;
      return { contents: part(bytes), note: [note, length > 0 ? `${counted(length, 'door')} can't be opened or closed in it.` : ''].filter(Boolean).join(' ') };
    },
  },
  {
    id: 'glb', label: 'Surface as GLB', hint: 'For Blender and game engines, coloured by area', icon: 'cuboid', suffix: '-mesh.glb', type: 'model/gltf-binary',
    unavailable: needsMesh,
    // The glTF writer is a large library, loaded on first use.
    make: async (app) => ({ contents: part(await (await import('./glb-file.js')).glbOf(meshOf(app).navMesh, { name: stemOf(app) })), note: surfaceNote(app) }),
  },
  {
    id: 'obj', label: 'Surface as OBJ', hint: 'Triangles with height detail, one group per area', icon: 'cuboid', suffix: '-mesh.obj', type: 'text/plain',
    unavailable: needsMesh, make: (app) => ({ contents: objOf(meshOf(app).navMesh, { name: stemOf(app) }), note: surfaceNote(app) }),
  },
  {
    id: 'config', label: 'Configuration', hint: 'JSON for this tool and walkmesh bake --config', icon: 'sliders-horizontal', suffix: '.config.json',
    type: 'application/json', unavailable: () => null, 
    make: ({ store: { state: { document } } }) => ({ contents: configurationText(document), note: countWork(document) > 0 ? `Without ${nameWork(document)}: save a project to keep them.` : '' }),
  },
  {
    id: 'picture', label: 'Screenshot', hint: 'PNG in the size of the view', icon: 'image', suffix: '.png', type: 'image/png',
    unavailable: () => null, make: async (app) => ({ contents: await capturePicture(app) }),
  },
];

/** Downloads a file. @param {string} name @param {BlobPart} contents @param {string} type @returns {number} its size, bytes */
export function download(name, contents, type) {
  const blob = new Blob([contents], { type });
  const address = URL.createObjectURL(blob);
  Object.assign(document.createElement('a'), { href: address, download: name }).click();
  // By then the browser has read it.
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
  return blob.size;
}

/** A size in words. @param {number} bytes */
export function sizeOf(bytes) {
  if (bytes < 1000) return `${bytes} bytes`;
  return bytes < 1e6 ? `${Number((bytes / 1e3).toPrecision(3))} kB` : `${Number((bytes / 1e6).toPrecision(3))} MB`;
}

/** Creates a file and downloads it; reports errors. @param {App} app @param {string} id */
export async function exportFile(app, id) {
  const { label, suffix, type, unavailable, make } = /** @type {Export} */ (EXPORTS.find((candidate) => candidate.id === id));
  const reason = unavailable(app);
  if (reason) {
    app.notices.warn(`Can't export: ${label}`, `${reason[0].toUpperCase()}${reason.slice(1)}.`);
    return;
  }
  try {
    const { contents, note = '' } = await make(app);
    const name = stemOf(app) + suffix;
    const size = download(name, contents, type);
    app.notices.info(`Exported ${name}`, `${sizeOf(size)}.${note && ` ${note}`}`);
  } catch (error) {
    if (error instanceof Cancelled) return;
    app.notices.error(`Can't export: ${label}`, error);
  }
}
