/** All tools, in the order in which the rail lists them. */
import { inspectTool } from './inspect-tool.js';

/** @param {import('../app.js').App} app */
export function registerTools(app) {
  for (const kind of [inspectTool]) app.tools.register(kind);
}
