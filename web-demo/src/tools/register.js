/** All tools, in the order in which the rail lists them. */
import { connectionsTool } from '../edit/connections-tool.js';
import { doorsTool } from '../edit/doors-tool.js';
import { obstaclesTool } from '../edit/obstacles-tool.js';
import { volumesTool } from '../edit/volumes-tool.js';
import { inspectTool } from './inspect-tool.js';

/** @param {import('../app.js').App} app */
export function registerTools(app) {
  for (const kind of [inspectTool, obstaclesTool, volumesTool, connectionsTool, doorsTool]) app.tools.register(kind);
}
