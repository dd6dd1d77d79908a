/** The material of tile borders: they fade where tiles are small on the screen, so that a grid of them doesn't look like paths. */
import { LineBasicMaterial, MathUtils } from 'three';
import { shiftShader } from './depth-shift.js';

/** A tile this small on the screen has faint borders, and one this large has full ones, pixels. */
const [SMALL, LARGE] = [30, 110];
const FAINT = 0.12;
/** If no tile is larger than this on the screen, no border is more than faint, pixels. */
export const FAINT_BORDERS = 40;

/** Pixels of a tile at a distance of one world unit. */
const tilePixels = { value: 1 };

/** Shared by all meshes, so that its shader is compiled once. */
const material = new LineBasicMaterial({ vertexColors: true, transparent: true, depthWrite: false, toneMapped: false });
material.onBeforeCompile = (/** @type {import('three').WebGLProgramParametersWithUniforms} */ shader) => {
  shiftShader(shader);
  shader.uniforms.tilePixels = tilePixels;
  shader.vertexShader = `uniform float tilePixels;\nvarying float vFade;\n${shader.vertexShader.replace('#include <project_vertex>', `#include <project_vertex>
    vFade = mix(${FAINT}, 1.0, smoothstep(${SMALL}.0, ${LARGE}.0, tilePixels / max(-mvPosition.z, 1e-3)));`)}`;
  shader.fragmentShader = `varying float vFade;\n${shader.fragmentShader.replace('#include <opaque_fragment>', '#include <opaque_fragment>\n  gl_FragColor.a *= vFade;')}`;
};

/**
 * @param {import('../app.js').App} app @param {import('three').LineSegments} borders of a NavMeshHelper
 * @param {number} tileWidth world units
 */
export function fadeBorders({ viewport }, borders, tileWidth) {
  borders.material = material;
  borders.onBeforeRender = () => {
    const { camera, canvas } = viewport;
    tilePixels.value = tileWidth * canvas.clientHeight / (2 * Math.tan(MathUtils.degToRad(camera.fov) / 2));
  };
}
