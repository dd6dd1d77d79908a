/**
 * Draws the navigation mesh, and what lies on it, a little nearer to the camera than it is. Polygons span stairs and bumps as planes: at their
 * own depth, the edges of steps would cover stripes of them. The shift is the height of a step, but at most the agent radius: polygons are
 * that far from walls, so that walls still hide them.
 */

/** @typedef {import('../app.js').App} App */

/** The uniform of all shifted materials, world units. */
const depthShift = { value: 0 };

/**
 * The shift reaches at most half the distance to the camera: so it never crosses the near plane. Where the camera doesn't look down on a point
 * there is none: from below, the ground hides what lies on it.
 */
export const SHIFT_DEPTH = /* glsl */`
uniform float depthShift;
/** The part of its distance at which a point is drawn. */
float shiftedShare(vec3 view) {
  float distance = max(length(view), 1e-3);
  float down = clamp(-4.0 * dot(view, (viewMatrix * vec4(0.0, 1.0, 0.0, 0.0)).xyz) / distance, 0.0, 1.0);
  return max(1.0 - depthShift * down / distance, 0.5);
}
/** The depth of a point at a part of its distance, in clip space. */
float depthAt(float share, float depth) { return depth + projectionMatrix[3][2] * (1.0 / share - 1.0); }
`;

/** @param {import('three').WebGLProgramParametersWithUniforms} shader of a material of three.js */
export function shiftShader(shader) {
  shader.uniforms.depthShift = depthShift;
  shader.vertexShader = `${SHIFT_DEPTH}${shader.vertexShader.replace('#include <project_vertex>', `#include <project_vertex>
    gl_Position.z = depthAt(shiftedShare(mvPosition.xyz), gl_Position.z);`)}`;
}

/** Shifts materials of three.js. @param {import('three').Material[]} materials */
export function shiftDepth(...materials) {
  for (const material of materials) material.onBeforeCompile = shiftShader;
}

/** Adds the uniform to a material whose vertex shader contains SHIFT_DEPTH. @param {import('three').ShaderMaterial} material */
export function addDepthShift({ uniforms }) {
  uniforms.depthShift = depthShift;
}

/**
 * Draws opaque objects that stand on the mesh after it: it would cover their feet.
 * @template {import('three').Object3D} T @param {T} object
 */
export function drawAfterMesh(object) {
  object.traverse((part) => {
    const { material } = /** @type {import('three').Mesh} */ (part);
    for (const each of material ? [material].flat() : []) each.transparent = true;
  });
  return object;
}

/** Keeps the shift that of the baked mesh. @param {App} app */
export function followDepthShift({ events, viewport }) {
  events.on('mesh', (baked) => {
    if (!baked) return;
    const { agentMaxClimb, agentRadius } = baked.navMesh.parameters;
    depthShift.value = Math.max(0, Math.min(agentMaxClimb, agentRadius));
    viewport.invalidate();
  });
}
