import { BoxGeometry, Mesh, Scene } from 'three';
import { load } from 'walkmesh';
import { geometryFromScene } from 'walkmesh/three';
import { threeToSoloNavMesh } from 'walkmesh/recast-navigation';

const scene = new Scene();
const box = new Mesh(new BoxGeometry(4, 1, 4));
scene.add(box);
const { navMesh } = (await load()).bake(geometryFromScene(scene), { cellSize: 0.2 });
navMesh.free();
threeToSoloNavMesh([box], { cs: 0.2 });
