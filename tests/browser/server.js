/** The server of pages: files and folders of this machine, with the headers that a test asks for. */
import { createReadStream, existsSync, readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join, normalize, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));

const MIME_TYPES = {
  '.html': 'text/html; charset=utf-8', '.js': 'text/javascript; charset=utf-8', '.mjs': 'text/javascript; charset=utf-8',
  '.json': 'application/json', '.map': 'application/json', '.css': 'text/css; charset=utf-8', '.wasm': 'application/wasm',
  '.svg': 'image/svg+xml', '.png': 'image/png', '.glb': 'model/gltf-binary', '.obj': 'text/plain; charset=utf-8',
};

/** The headers that make SharedArrayBuffer available to a page. */
const ISOLATION = {
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Embedder-Policy': 'require-corp',
  'Cross-Origin-Resource-Policy': 'same-origin',
};

/** The script that collects the errors of a page: its path on the server, and its file. */
const COLLECTOR = { path: '/problems-page.js', file: fileURLToPath(new URL('engines/problems-page.js', import.meta.url)) };

/** Puts the script that collects errors before all others of a page. @param {string} html */
const withCollector = (html) => html.replace(/^(<!doctype html>)?/i, `$&<script src="${COLLECTOR.path}"></script>`);

/**
 * @typedef {object} ServerOptions
 * @property {Record<string, string | Uint8Array>} [files] path -> content, served before mounted files; 'index.html' also answers '/'
 * @property {Record<string, string>} [mounts] first part of a path ('' for the root) -> the folder that contains the rest
 * @property {Record<string, string>} [headers] headers of every response
 * @property {boolean} [isolated] with the headers (COOP and COEP) that SharedArrayBuffer needs
 * @property {(problem: string) => void} [report] for engines that see no problems: called for paths without a file; pages collect
 *   their errors
 */

/** The file behind a path of the server, or undefined. @param {string} path @param {Record<string, string>} mounts */
function findFile(path, mounts) {
  const [, first, rest] = /^\/([^/]*)\/?(.*)$/.exec(path) ?? [];
  const candidates = [[mounts[first], rest], [mounts[''], path.slice(1)]];
  for (const [folder, name] of candidates) {
    if (folder === undefined) continue;
    const file = normalize(join(folder, name || 'index.html'));
    if (file.startsWith(normalize(folder + sep)) && existsSync(file) && statSync(file).isFile()) return file;
  }
  return undefined;
}

/**
 * Serves files and folders to this machine only, on a free port.
 * @param {ServerOptions} options
 * @returns {Promise<{ url: string, requests: string[], close: () => Promise<void> }>} url without a slash at its end;
 *   requests: the paths of all requests until now
 */
export async function startServer({ files = {}, mounts = {}, headers: more = {}, isolated = false, report }) {
  /** @type {string[]} */
  const requests = [];
  const server = createServer((request, response) => {
    const path = decodeURIComponent(new URL(request.url ?? '/', 'http://localhost').pathname);
    if (path !== COLLECTOR.path) requests.push(path);
    const headers = { 'Cache-Control': 'no-store', ...more, ...(isolated ? ISOLATION : {}) };
    const send = (/** @type {number} */ status, /** @type {string} */ type) =>
      response.writeHead(status, { ...headers, 'Content-Type': type });
    const type = MIME_TYPES[/** @type {keyof typeof MIME_TYPES} */ (extname(path) || '.html')] ?? 'application/octet-stream';
    const file = path === COLLECTOR.path ? COLLECTOR.file : findFile(path, mounts);
    const content = files[path.slice(1) || 'index.html'] ?? (file && report && type === MIME_TYPES['.html'] ? readFileSync(file, 'utf8') : undefined);
    if (content !== undefined) send(200, type).end(report && typeof content === 'string' && type === MIME_TYPES['.html'] ? withCollector(content) : content);
    else if (file) createReadStream(file).pipe(send(200, type));
    else if (path === '/favicon.ico') response.writeHead(204).end();
    else {
      report?.(`404: http://${request.headers.host}${path}`);
      send(404, MIME_TYPES['.obj']).end(`no file at ${path}`);
    }
  });
  await new Promise((resolve) => { server.listen(0, '127.0.0.1', () => resolve(undefined)); });
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  return {
    // Browsers treat this origin as secure, as OPFS and SharedArrayBuffer require.
    url: `http://localhost:${port}`,
    requests,
    close: () => new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    }),
  };
}
