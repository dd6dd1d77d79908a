/** Shapes that are drawn many times, with light from above baked into their vertex colours: the scene needs no lights. */
import { BoxGeometry, BufferAttribute, CapsuleGeometry, ConeGeometry, CylinderGeometry, MeshBasicMaterial, RingGeometry, SphereGeometry } from 'three';

/** @typedef {import('three').BufferGeometry} BufferGeometry */

/** Brightness of faces that point up, to the sides (along x and along z), and down. */
const [UP, SIDE_X, SIDE_Z, DOWN] = [1, 0.72, 0.58, 0.42];

/** Prepares the shape of a line: unlit. @template {BufferGeometry} T @param {T} geometry @returns {T} */
function bakeNothing(geometry) {
  const { count } = geometry.getAttribute('position');
  geometry.setAttribute('color', new BufferAttribute(new Float32Array(3 * count).fill(1), 3));
  for (const name of ['normal', 'uv']) geometry.deleteAttribute(name);
  return geometry;
}

/** @template {BufferGeometry} T @param {T} geometry @returns {T} */
function bakeLight(geometry) {
  const normal = geometry.getAttribute('normal');
  const colors = new Float32Array(3 * normal.count);
  for (let i = 0; i < normal.count; i++) {
    const [x, y, z] = [normal.getX(i), normal.getY(i), normal.getZ(i)];
    colors.fill(x * x * SIDE_X + z * z * SIDE_Z + y * y * (y > 0 ? UP : DOWN), 3 * i, 3 * i + 3);
  }
  geometry.setAttribute('color', new BufferAttribute(colors, 3));
  for (const name of ['normal', 'uv']) geometry.deleteAttribute(name);
  return geometry;
}

/** A cube of side 1 that stands on y = 0. */
export const makeBox = () => bakeLight(new BoxGeometry(1, 1, 1).translate(0, 0.5, 0));

/** A tube of radius 1 from y = 0 to y = 1, open at its ends. */
export const makeTube = () => bakeNothing(new CylinderGeometry(1, 1, 1, 12, 1, true).translate(0, 0.5, 0));

/** A pillar of radius 1 from y = 0 to y = 1, closed, with light. */
export const makePillar = () => bakeLight(new CylinderGeometry(1, 1, 1, 24).translate(0, 0.5, 0));

/** A ball of radius 1 with light. */
export const makeOrb = () => bakeLight(new SphereGeometry(1, 20, 12));

/** A ball of radius 1. */
export const makeBall = () => bakeNothing(new SphereGeometry(1, 16, 10));

/** A cone of radius 1 from y = 0 to its tip at y = 1; makeNose is the same with light, for agents. */
export const makeCone = () => bakeNothing(new ConeGeometry(1, 1, 16).translate(0, 0.5, 0));

export const makeNose = () => bakeLight(new ConeGeometry(1, 1, 16).translate(0, 0.5, 0));

/** A flat ring on y = 0, from radius 0.82 to 1. */
export const makeRing = () => bakeNothing(new RingGeometry(0.82, 1, 40).rotateX(-Math.PI / 2));

/** An agent of radius 1 and height 2 that stands on y = 0: a capsule if it is scaled to a height of 4.5 times its radius. */
export const makeCapsule = () => bakeLight(new CapsuleGeometry(1, 2.5, 6, 20).translate(0, 2.25, 0)).scale(1, 2 / 4.5, 1);

/** The same with a fifth of the triangles: for crowds, in which each agent is small. */
export const makeCoarseCapsule = () => bakeLight(new CapsuleGeometry(1, 2.5, 2, 9).translate(0, 2.25, 0)).scale(1, 2 / 4.5, 1);

/**
 * For shapes with baked light. A ghost is seen through walls; isInFront: drawn over surfaces in the same plane.
 * @param {{ opacity?: number, isGhost?: boolean, isInFront?: boolean }} [options]
 */
export function makeShaded({ opacity = 1, isGhost = false, isInFront = false } = {}) {
  return new MeshBasicMaterial({
    vertexColors: true, toneMapped: false, opacity, transparent: opacity < 1, depthTest: !isGhost, depthWrite: opacity === 1,
    polygonOffset: isInFront, polygonOffsetFactor: -1, polygonOffsetUnits: -4,
  });
}
