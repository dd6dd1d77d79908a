/** A link generator reads air, a configuration and the volumes of a level. This file makes a bake handle that has the last two. */
import { writeConfig } from '../../input/config.js';
import { writeGeometry } from '../../input/geometry.js';

/**
 * Creates the bake handle, which the caller destroys.
 * @param {import('../../runtime/session.js').Session} session @param {import('../../input/config.js').Config} config with bounds
 * @param {import('../../input/geometry.js').Geometry['volumes']} volumes of the level @returns {number} its address
 */
export function createLinkLevel(session, config, volumes) {
  const level = session.checkAddress(session.wasm.bake_create(session.handle));
  try {
    writeConfig(session, level, config);
    const steps = writeGeometry(session, level, { positions: [], indices: [], volumes });
    while (!steps.next().done);
    return level;
  } catch (error) {
    session.wasm.bake_destroy(level);
    throw error;
  }
}
