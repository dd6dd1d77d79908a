/** The query tools. */
import { floodQuery } from './flood-query.js';
import { nearestQuery } from './nearest-query.js';
import { pathQuery } from './path-query.js';
import { QueryTool } from './query-tool.js';
import { randomQuery } from './random-query.js';
import { raycastQuery } from './raycast-query.js';
import { wallQuery } from './wall-query.js';

/** @template Result @param {import('./query-tool.js').Query<Result>} query @returns {import('./tools.js').ToolKind} */
function toolKind(query) {
  const { id, label, icon, shortcut, hint } = query;
  return { id, label, icon, shortcut, hint, group: 'query', create: (app) => new QueryTool(app, query) };
}

export const queryTools = [
  toolKind(pathQuery), toolKind(raycastQuery), toolKind(nearestQuery), toolKind(wallQuery), toolKind(floodQuery), toolKind(randomQuery),
];
