/** All tools in the order of the rail. */
import { crowdToolKind } from '../crowd/crowd-tool.js';
import { connectionsTool } from '../edit/connections-tool.js';
import { doorsTool } from '../edit/doors-tool.js';
import { obstaclesTool } from '../edit/obstacles-tool.js';
import { volumesTool } from '../edit/volumes-tool.js';
import { linksTool } from '../links/link-tool.js';
import { inspectTool } from './inspect-tool.js';
import { queryTools } from './query-tools.js';

/** @param {import('../app.js').App} app */
export function registerTools(app) {
  for (const kind of [inspectTool, ...queryTools, linksTool, obstaclesTool, volumesTool, connectionsTool, doorsTool, crowdToolKind]) app.tools.register(kind);
}
