/**
 * Checks the public address of the package, before it is published. The fields homepage, repository and bugs of package.json are
 * the only place that names it. As long as they contain the placeholder, npm refuses to publish (`prepublishOnly`); with --warn,
 * for packing (`prepack`), only a warning is printed.
 */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Stands for the account until the owner of the repository replaces it, in package.json. */
const PLACEHOLDER = 'OWNER';

/**
 * The problems of the addresses in a package.json.
 * @param {{ homepage?: string, repository?: { url?: string }, bugs?: { url?: string } }} manifest
 * @returns {string[]}
 */
export function findAddressProblems({ homepage, repository, bugs }) {
  const addresses = { 'homepage': homepage, 'repository.url': repository?.url, 'bugs.url': bugs?.url };
  const root = repository?.url?.replace(/^git\+|\.git$/g, '');
  return Object.entries(addresses).flatMap(([field, address]) => {
    if (!address) return [`${field} is missing`];
    if (address.split('/').includes(PLACEHOLDER)) return [`${field} is ${address}: replace ${PLACEHOLDER} by the account of the repository`];
    if (field === 'bugs.url' && !address.startsWith(`${root}/`)) return [`${field} is ${address}: must begin with ${root}/, as repository.url does`];
    return [];
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const problems = findAddressProblems(JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')));
  for (const problem of problems) console.error(`package.json: ${problem}`);
  if (problems.length > 0 && !process.argv.includes('--warn')) process.exitCode = 1;
}
