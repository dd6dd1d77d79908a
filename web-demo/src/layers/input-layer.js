/** The level as it was loaded, lit. */
import { Group } from 'three';

/** @type {import('./layers.js').LayerKind} */
export const inputLayer = {
  id: 'input', group: 'Level', label: 'Input', hint: 'The triangles of the level, lit.', visible: true,
  create(app) {
    const object = new Group();
    return {
      object,
      update() {
        object.clear();
        const level = app.levels.current;
        if (level) object.add(level.mesh);
      },
      setOpacity(opacity) {
        const material = app.levels.current?.mesh.material;
        if (!material) return;
        Object.assign(material, { opacity, transparent: opacity < 1, depthWrite: opacity === 1, needsUpdate: true });
      },
    };
  },
};
