/**
 * The material of levels: ground is grey, so that the mesh stands out; walls have a colour by the direction that they face, or are grey, too,
 * where colours mean something.
 */
import { Color, DoubleSide, MeshStandardMaterial, Vector4 } from 'three';

const GROUND = 0xc4bdb1;
/** Walls that face along x and along z. */
const WALLS = [new Color(0xc98a63), new Color(0xdfc08c)];

const TINT = /* glsl */`
#include <normal_fragment_maps>
vec3 facing = abs(inverseTransformDirection(normal, viewMatrix));
vec3 wallColor = mix(wallZ, wallX, facing.x / max(facing.x + facing.z, 1e-4));
wallColor = mix(wallColor, vec3(dot(wallColor, vec3(0.3, 0.59, 0.11))), depths.w);
diffuseColor.rgb = mix(wallColor, diffuseColor.rgb, smoothstep(0.35, 0.85, facing.y));
float height = cameraPosition.y + (vec4(-vViewPosition, 0.0) * viewMatrix).y;
diffuseColor.rgb *= mix(1.0, mix(LOWEST, HIGHEST, clamp((height - depths.x) / max(depths.y - depths.x, 1e-4), 0.0, 1.0)), depths.z);`;

/** Brightness of the lowest and of the highest part of a shell: of two floors that look alike, the darker one is lower. */
const [LOWEST, HIGHEST] = ['0.55', '1.15'];

/** @param {{ min: { y: number }, max: { y: number } }} bounds of the level */
export function makeLevelMaterial({ min, max }) {
  const material = new MeshStandardMaterial({ color: GROUND, roughness: 0.95, flatShading: true, side: DoubleSide });
  const depths = { value: new Vector4(min.y, max.y, 0, 0) };
  material.userData.depths = depths;
  material.onBeforeCompile = (shader) => {
    Object.assign(shader.uniforms, { wallX: { value: WALLS[0] }, wallZ: { value: WALLS[1] }, depths });
    shader.fragmentShader = `uniform vec3 wallX;\nuniform vec3 wallZ;\nuniform vec4 depths; // lowest, highest, 1: a shell, 1: walls are grey\n#define LOWEST ${LOWEST}\n#define HIGHEST ${HIGHEST}\n${shader.fragmentShader.replace('#include <normal_fragment_maps>', TINT)}`;
  };
  // Layers lie on the level's own triangles: the level is drawn a little behind them.
  Object.assign(material, { polygonOffset: true, polygonOffsetFactor: 1, polygonOffsetUnits: 1, clipShadows: true });
  return material;
}
