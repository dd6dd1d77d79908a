/** The material of levels: ground is grey, so that the mesh stands out; walls have a colour by the direction that they face. */
import { Color, DoubleSide, MeshStandardMaterial } from 'three';

const GROUND = 0xc4bdb1;
/** Walls that face along x and along z. */
const WALLS = [new Color(0xc98a63), new Color(0xdfc08c)];

const TINT = /* glsl */`
#include <normal_fragment_maps>
vec3 facing = abs(inverseTransformDirection(normal, viewMatrix));
vec3 wallColor = mix(wallZ, wallX, facing.x / max(facing.x + facing.z, 1e-4));
diffuseColor.rgb = mix(wallColor, diffuseColor.rgb, smoothstep(0.35, 0.85, facing.y));`;

export function makeLevelMaterial() {
  const material = new MeshStandardMaterial({ color: GROUND, roughness: 0.95, flatShading: true, side: DoubleSide });
  material.onBeforeCompile = (shader) => {
    Object.assign(shader.uniforms, { wallX: { value: WALLS[0] }, wallZ: { value: WALLS[1] } });
    shader.fragmentShader = `uniform vec3 wallX;\nuniform vec3 wallZ;\n${shader.fragmentShader.replace('#include <normal_fragment_maps>', TINT)}`;
  };
  // Layers lie on the level's own triangles: the level is drawn a little behind them.
  Object.assign(material, { polygonOffset: true, polygonOffsetFactor: 1, polygonOffsetUnits: 1, clipShadows: true });
  return material;
}
