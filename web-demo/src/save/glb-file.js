/**
 * The surface of a navigation mesh as GLB: one mesh with a primitive and a material per area, in the colours of the page. The materials
 * store `walkmesh: { area }` in their extras, which geometryFromScene of walkmesh/three reads.
 */
import { Document, WebIO } from '@gltf-transform/core';
import { areaColor } from 'walkmesh/three';
import { areaLabel, surfaceOf } from './mesh-surface.js';

/** Copies the vertices used by the faces of a primitive. @param {Float32Array} positions @param {Uint32Array[]} faces */
function compact(positions, faces) {
  const indices = new Uint32Array(3 * faces.length);
  const numbers = new Map();
  /** @type {number[]} */
  const used = [];
  faces.forEach((face, f) => face.forEach((vertex, c) => {
    let number = numbers.get(vertex);
    if (number === undefined) {
      numbers.set(vertex, number = numbers.size);
      used.push(positions[3 * vertex], positions[3 * vertex + 1], positions[3 * vertex + 2]);
    }
    indices[3 * f + c] = number;
  }));
  return { positions: Float32Array.from(used), indices };
}

/**
 * @param {import('walkmesh').NavMesh} navMesh @param {{ name?: string }} [options] name: of the level
 * @returns {Promise<Uint8Array>}
 */
export async function glbOf(navMesh, { name = 'level' } = {}) {
  const surface = surfaceOf(navMesh);
  const document = new Document();
  document.getRoot().getAsset().generator = 'Walkmesh';
  const buffer = document.createBuffer();
  const mesh = document.createMesh(`navigation mesh of ${name}`);
  for (const [area, faces] of surface.faces) {
    const { positions, indices } = compact(surface.positions, faces);
    const [r, g, b] = areaColor(area).toArray();
    const material = document.createMaterial(areaLabel(area)).setBaseColorFactor([r, g, b, 1]).setRoughnessFactor(0.9)
      .setMetallicFactor(0).setExtras({ walkmesh: { area } });
    mesh.addPrimitive(document.createPrimitive().setMaterial(material)
      .setAttribute('POSITION', document.createAccessor().setType('VEC3').setArray(positions).setBuffer(buffer))
      .setIndices(document.createAccessor().setType('SCALAR').setArray(indices).setBuffer(buffer)));
  }
  const node = document.createNode(`navigation mesh of ${name}`).setMesh(mesh);
  const scene = document.createScene(name).addChild(node);
  document.getRoot().setDefaultScene(scene);
  return new WebIO().writeBinary(document);
}
