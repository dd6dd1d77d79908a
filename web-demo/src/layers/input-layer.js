/** The level with light, its wireframe and its slopes. */
import { BufferAttribute, BufferGeometry, Color, DoubleSide, Group, LineBasicMaterial, LineSegments, Mesh, ShaderMaterial, Sphere } from 'three';

/** @typedef {import('../app.js').App} App */
/** @typedef {import('./layers.js').LayerKind} LayerKind */

/** @type {LayerKind} */
export const inputLayer = {
  id: 'input', group: 'Level', label: 'Level', hint: 'The lit triangles of the level.', visible: true,
  create(app) {
    const object = new Group();
    return {
      object,
      update() {
        object.clear();
        const level = app.levels.current;
        if (!level) return;
        object.add(level.mesh);
        this.setOpacity(app.layers.setting('input').opacity);
      },
      setOpacity(opacity) {
        const material = app.levels.current?.mesh.material;
        if (!material) return;
        const isTransparent = opacity < 1;
        const isOther = material.transparent !== isTransparent;
        Object.assign(material, { opacity, transparent: isTransparent, depthWrite: !isTransparent });
        if (isOther) material.needsUpdate = true;
      },
      note: () => (app.levels.current ? `${app.levels.current.triangles.toLocaleString('en')} triangles` : ''),
    };
  },
};

/** Draws the edges of the level's triangles while `view.wireframe` is set. @param {App} app */
export function followWireframe(app) {
  const material = new LineBasicMaterial({ color: 0x0d1b2a, transparent: true, opacity: 0.45 });
  /** @type {LineSegments | null} */
  let lines = null;
  const update = () => {
    const level = app.levels.current;
    const isShown = app.store.state.view.wireframe && level !== null;
    if (lines && (!isShown || lines.userData.level !== level)) {
      lines.removeFromParent();
      // The level owns the positions: disposing them here would upload them again.
      lines.geometry.deleteAttribute('position');
      lines.geometry.dispose();
      lines = null;
    }
    if (isShown && !lines) {
      lines = new LineSegments(edgesOf(level.mesh.geometry, level.indices), material);
      Object.assign(lines.userData, { level, walkmesh: { ignore: true } });
      lines.renderOrder = 0.8;
      lines.raycast = () => {};
      app.viewport.scene.add(lines);
    }
    app.viewport.invalidate();
  };
  app.store.subscribe((state, previous) => {
    if (state.view.wireframe !== previous.view.wireframe) update();
  });
  app.events.on('level', update);
  update();
}

/** The edges of all triangles. @param {BufferGeometry} geometry @param {Uint32Array} indices */
function edgesOf(geometry, indices) {
  const edges = new Uint32Array(2 * indices.length);
  for (let i = 0, at = 0; i < indices.length; i += 3) {
    const [a, b, c] = [indices[i], indices[i + 1], indices[i + 2]];
    edges[at++] = a; edges[at++] = b; edges[at++] = b; edges[at++] = c; edges[at++] = c; edges[at++] = a;
  }
  const result = new BufferGeometry();
  result.setAttribute('position', geometry.getAttribute('position'));
  result.setIndex(new BufferAttribute(edges, 1));
  result.boundingSphere = geometry.boundingSphere ?? new Sphere(undefined, Infinity);
  return result;
}

/** Colours from flat to the limit, above the limit, and for faces that point down. */
export const SLOPES = { ramp: [0x2c7a4b, 0x8fbf4d, 0xf4d03f], steep: 0xe5484d, down: 0x4b5563 };

const SLOPE_VERTEX = /* glsl */`
#include <clipping_planes_pars_vertex>
varying vec3 vView;
void main() {
  vec4 mvPosition = modelViewMatrix * vec4(position, 1.0);
  vView = mvPosition.xyz;
  gl_Position = projectionMatrix * mvPosition;
  #include <clipping_planes_vertex>
}`;

/** The winding of a face decides its side, as in the bake. */
const SLOPE_FRAGMENT = /* glsl */`
#include <clipping_planes_pars_fragment>
uniform float limit;
uniform float opacity;
uniform vec3 ramp[3];
uniform vec3 steep;
uniform vec3 down;
varying vec3 vView;
void main() {
  #include <clipping_planes_fragment>
  vec3 normal = normalize(cross(dFdx(vView), dFdy(vView)));
  vec3 up = normalize((viewMatrix * vec4(0.0, 1.0, 0.0, 0.0)).xyz);
  float angle = degrees(acos(clamp(dot(normal, up) * (gl_FrontFacing ? 1.0 : -1.0), -1.0, 1.0)));
  float share = clamp(angle / max(limit, 1.0), 0.0, 1.0) * 2.0;
  vec3 color = share < 1.0 ? mix(ramp[0], ramp[1], share) : mix(ramp[1], ramp[2], share - 1.0);
  if (angle > 95.0) color = down;
  else if (angle > limit + 0.05) color = steep * (mod(gl_FragCoord.x + gl_FragCoord.y, 8.0) < 2.0 ? 0.72 : 1.0);
  gl_FragColor = vec4(color, opacity);
}`;

/** A colour without colour space conversion. @param {number} hex */
const shown = (hex) => new Color().setRGB((hex >> 16) / 255, (hex >> 8 & 255) / 255, (hex & 255) / 255);

/** @type {LayerKind} */
export const slopeLayer = {
  id: 'slope', group: 'Level', label: 'Slope', hint: 'Slope of the triangles; hatched red above the max slope.',
  ramp: { colors: SLOPES.ramp, from: () => 'flat', to: () => 'limit' }, legend: [{ color: SLOPES.steep, label: 'Too steep' }, { color: SLOPES.down, label: 'Faces down' }],
  create(app) {
    const object = new Group();
    const material = new ShaderMaterial({
      vertexShader: SLOPE_VERTEX, fragmentShader: SLOPE_FRAGMENT, clipping: true, side: DoubleSide, polygonOffset: true, polygonOffsetFactor: -1,
      polygonOffsetUnits: -1,
      uniforms: {
        limit: { value: 45 }, opacity: { value: 1 }, ramp: { value: SLOPES.ramp.map(shown) }, steep: { value: shown(SLOPES.steep) },
        down: { value: shown(SLOPES.down) },
      },
    });
    const follow = () => { material.uniforms.limit.value = app.store.state.document.config.agentMaxSlope; };
    app.store.subscribe(({ document: now }, { document: before }) => {
      if (now.config.agentMaxSlope === before.config.agentMaxSlope) return;
      follow();
      app.viewport.invalidate();
    });
    follow();
    return {
      object,
      update() {
        object.clear();
        const level = app.levels.current;
        if (!level) return;
        const mesh = new Mesh(level.mesh.geometry, material);
        mesh.renderOrder = -0.5;
        mesh.raycast = () => {};
        object.add(mesh);
      },
      hide: () => { object.clear(); },
      setOpacity(opacity) {
        if (material.transparent !== opacity < 1) material.needsUpdate = true;
        material.transparent = opacity < 1;
        material.uniforms.opacity.value = opacity;
      },
      note: () => `limit ${app.store.state.document.config.agentMaxSlope}°`,
    };
  },
};
