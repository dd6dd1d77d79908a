/**
 * Collects the meshes of a glTF file that count, with their areas. The rules are those of geometryFromScene for the scene that
 * three.js's GLTFLoader makes of the file.
 */
import { DEFAULT_AREA, checkArea, readMark } from '../runtime/level-marks.js';
import { fileError } from './file-error.js';

/** @typedef {import('@gltf-transform/core').Node} Node */
/** @typedef {import('@gltf-transform/core').Document} GltfDocument */
/** @typedef {import('@gltf-transform/core').Primitive} Primitive */

/** @typedef {import('./gltf.js').GltfPart} GltfPart */
/** @typedef {import('./gltf.js').PartOptions} PartOptions */
/** @typedef {{ node: Node, primitive: Primitive, areaOf: (instance: number | undefined) => number | null }} Part areaOf null: leave it out */

/** The default scene, else the first scene, else the nodes without a parent. @param {GltfDocument} document */
function findScene(document) {
  const root = document.getRoot();
  const scene = root.getDefaultScene() ?? root.listScenes()[0] ?? null;
  const roots = scene ? scene.listChildren() : root.listNodes().filter((node) => !node.getParentNode());
  return { scene, roots, names: scene ? [scene.getName()] : [] };
}

/** @param {import('@gltf-transform/core').ExtensibleProperty | null} owner */
const markOf = (owner) => /** @type {any} */ (owner?.getExtras())?.walkmesh;

/**
 * The parts in the order of the file.
 * @param {GltfDocument} document @param {PartOptions} options @param {import('../runtime/level-marks.js').NameRules} rules @param {string} file name
 * @returns {Part[]}
 */
export function listParts(document, options, rules, file) {
  const indexes = new Map(document.getRoot().listNodes().map((node, i) => [node, i]));
  /** @type {Part[]} */
  const parts = [];

  /** @param {Node} node @param {number | undefined} inherited @param {string[]} ancestors */
  function visit(node, inherited, ancestors) {
    if (rules.isExcluded(node.getName())) return; // with all below, whatever their marks
    const nodeIndex = indexes.get(node) ?? 0;
    const fail = (/** @type {string} */ problem) => fileError(file, `has a node ${nodeIndex} (${node.getName()}), and ${problem}`);
    const read = (/** @type {unknown} */ mark) => readMark(mark, 'extras', fail);
    const mesh = node.getMesh();
    const primitives = mesh?.listPrimitives() ?? [];
    // As in GLTFLoader: a mesh with one material is the node itself, whose extras replace those of the mesh; else a child of it.
    const isNode = primitives.length === 1;
    const own = read(isNode ? markOf(node) ?? markOf(mesh) : markOf(node));
    if (own === null) return;
    const names = [node.getName(), ...ancestors];
    for (const primitive of primitives) {
      const material = primitive.getMaterial();
      const part = { node: names[0], ancestors, mesh: mesh?.getName() ?? '', material: material?.getName() ?? '', nodeIndex };
      const known = [...(isNode && names[0] ? [] : [part.mesh]), ...names, part.material];
      if (!rules.isWanted(known)) continue;
      const ofMesh = isNode ? own : read(markOf(mesh));
      if (ofMesh === null || (options.filter && !options.filter(part))) continue;
      const ofMaterial = read(markOf(material));
      const marked = ofMaterial === null ? null : ofMesh ?? ofMaterial ?? (isNode ? undefined : own) ?? inherited ?? DEFAULT_AREA;
      const byName = rules.areaOf(known);
      parts.push({
        node, primitive, areaOf(instance) {
          const answer = checkArea(options.area?.(part, instance), 'the area of options.area', fail);
          return answer === undefined ? byName ?? marked : answer;
        },
      });
    }
    for (const child of node.listChildren()) visit(child, own ?? inherited, names);
  }
  const { scene, roots, names } = findScene(document);
  const mark = readMark(markOf(scene), 'extras', (problem) => fileError(file, `has a scene (${names[0]}), and ${problem}`));
  if (mark !== null) for (const root of roots) visit(root, mark, names);
  return parts;
}
