import { load } from 'walkmesh';

self.onmessage = async ({ data: level }) => {
  const walkmesh = await load();
  const { navMesh } = walkmesh.bake(level, { cellSize: 0.2 });
  const { status } = navMesh.findPath([2, 0, 2], [18, 0, 2]);
  navMesh.free();
  self.postMessage(status);
};
