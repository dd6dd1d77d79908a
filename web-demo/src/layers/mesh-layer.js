/** The navigation mesh by area. */
import { Group } from 'three';
import { NavMeshHelper } from 'walkmesh/three';

/** @type {import('./layers.js').LayerKind} */
export const meshLayer = {
  id: 'navMesh', group: 'Mesh', label: 'Navigation mesh', hint: 'Where agents can walk, a colour for each area.', visible: true, opacity: 0.6,
  create(app) {
    const object = new Group();
    /** @type {NavMeshHelper | undefined} */
    let helper;
    let drawn = app.bakes.current?.navMesh;
    const drop = () => {
      helper?.dispose();
      helper = drawn = undefined;
    };
    app.events.on('mesh-ending', drop);
    return {
      object,
      update() {
        const navMesh = app.bakes.current?.navMesh;
        if (navMesh !== drawn || !helper) {
          drop();
          if (!navMesh) return;
          drawn = navMesh;
          helper = new NavMeshHelper(navMesh);
          object.add(helper);
          this.setOpacity(app.layers.setting('navMesh').opacity);
        }
        helper.update();
      },
      setOpacity(opacity) {
        if (helper) helper.surface.material.opacity = opacity;
      },
      note: () => (app.bakes.current ? `${app.bakes.current.navMesh.totals.polygons} polygons` : undefined),
    };
  },
};
