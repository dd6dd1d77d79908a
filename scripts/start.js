/**
 * `npm start`: sets up and builds the repository, bakes a bundled level, finds a path across it and draws both; then builds the
 * level tool and serves it on this machine, until Ctrl-C. Later runs compile only changed files. Ends after the build with
 * --no-serve, or if CI is set in the environment.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CONFIG_FILE, buildDemo, isDemoBuilt } from './demo.js';
import { ROOT, run, setUp } from './setup.js';

setUp();
run('node', ['wasm/build.js']);

// Packages and built files exist from here on.
const { load } = await import('../js/index.js');
const { parseObj } = await import('../js/level/obj.js');
const { drawSvg } = await import('../js/cli/draw-svg.js');
const { formatBytes, formatTime, printReport } = await import('../js/cli/output.js');
const { describePath } = await import('../js/cli/path.js');

const LEVEL = 'tests/scenes/city.obj';
const OUT = 'out';

const { positions, indices } = parseObj(readFileSync(join(ROOT, LEVEL)), { name: LEVEL });
const walkmesh = await load();
console.log(`\nBaking ${LEVEL}: ${indices.length / 3} triangles (${walkmesh.simd ? 'SIMD' : 'scalar'} build)\n`);
const { navMesh, report } = walkmesh.bake({ positions, indices });
printReport(report);

const { boundsMin: low, boundsMax: high } = navMesh.totals;
const across = [0.01, 0.99].map((share) => [low[0] + share * (high[0] - low[0]), 0, low[2] + share * (high[2] - low[2])]);
const start = performance.now();
const path = navMesh.findPath(across[0], across[1], { halfExtents: [8, 2, 8] });
const milliseconds = performance.now() - start;

mkdirSync(join(ROOT, OUT), { recursive: true });
const files = {
  'city.walkmesh': navMesh.save(),
  'city.svg': drawSvg(navMesh.polygons(), { paths: path.points.length ? [path.points] : [] }),
};
for (const [name, contents] of Object.entries(files)) writeFileSync(join(ROOT, OUT, name), contents);
console.log(`\nPath across the city in ${formatTime(milliseconds)}: ${describePath(navMesh, path, { from: across[0], to: across[1], search: {} })}`);
console.log(`\nWritten: ${OUT}/city.walkmesh (${formatBytes(files['city.walkmesh'].length)}), ${OUT}/city.svg (a plan with the path)`);
navMesh.free();

// ---- The level tool -------------------------------------------------------------------------------------------------

/** The preferred port of Vite, which uses the next free one if this is taken. */
const PORT = 5173;

if (isDemoBuilt()) {
  console.log('\nThe level tool is built already: web-demo/dist');
} else {
  console.log('\nBuilding the level tool ...');
  const buildStart = performance.now();
  await buildDemo();
  console.log(`Built in ${formatTime(performance.now() - buildStart)}: web-demo/dist, static files that work from any folder`);
}

if (process.argv.includes('--no-serve') || process.env.CI) {
  console.log('Not served: start it without --no-serve and CI to open it.');
} else {
  const { preview } = await import('vite');
  const server = await preview({ configFile: CONFIG_FILE, logLevel: 'warn', preview: { port: PORT, host: 'localhost' } });
  const [address = `http://localhost:${PORT}/`] = server.resolvedUrls?.local ?? [];
  const end = async () => {
    await server.close();
    process.exit(0);
  };
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, end);
  console.log(`\nThe command line: node js/cli.js --help\nThe examples:     ${address}examples/\nCtrl-C ends it.\n`);
  console.log(`Open the level tool: ${address}`);
}
