/** The state in the page's address: the differences from the defaults, as compressed JSON. */
import { checkDocument, checkView } from './validate.js';
import { defaultDocument, defaultView, libraryConfig } from './document.js';

/** @typedef {import('./document.js').Document} Document */
/** @typedef {import('./document.js').View} View */

/** Version of the defaults that addresses store differences from. */
const VERSION = 2;

/** Milliseconds without a change before the address follows. */
const DELAY = 300;

/** The entries of an object that differ from another's. @param {Record<string, any>} value @param {Record<string, any>} base */
function differences(value, base) {
  return Object.fromEntries(Object.entries(value).filter(([key, entry]) => JSON.stringify(entry) !== JSON.stringify(base[key])));
}

/** @param {Uint8Array} bytes */
function encode(bytes) {
  let text = '';
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}

/** @param {string} text */
const decode = (text) => Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (letter) => letter.charCodeAt(0));

/** Most bytes of the uncompressed JSON of an address: thousands of items. A thousand bytes can decompress to a million. */
const MAX_BYTES = 4 << 20;

/** @param {Uint8Array} bytes @param {GenericTransformStream} stream @returns {Promise<Uint8Array>} throws above MAX_BYTES */
async function pipe(bytes, stream) {
  const chunks = [];
  let count = 0;
  const reader = new Blob([/** @type {any} */ (bytes)]).stream().pipeThrough(/** @type {any} */ (stream)).getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return new Uint8Array(await new Blob(chunks).arrayBuffer());
    chunks.push(value);
    count += value.length;
    if (count > MAX_BYTES) {
      await reader.cancel();
      throw new RangeError('the state in the address is too large');
    }
  }
}

/**
 * Writes the part of the address after #. @param {Document} document @param {View} view @returns {Promise<string>}
 */
export async function writeHash(document, view) {
  const { config, ...rest } = document;
  const base = defaultDocument();
  const saved = {
    document: { ...differences(rest, base), config: differences(config, base.config) },
    view: differences(view, defaultView()),
  };
  if (JSON.stringify(saved) === '{"document":{"config":{}},"view":{}}') return '';
  return encode(await pipe(new TextEncoder().encode(JSON.stringify({ ...saved, version: VERSION })), new CompressionStream('deflate-raw')));
}

/**
 * Reads the state of an address. Missing and invalid parts get their defaults.
 * @param {string} hash without # @returns {Promise<{ document: Document, view: View }>} throws if it can't be read
 */
export async function readHash(hash) {
  const text = hash ? new TextDecoder().decode(await pipe(decode(hash), new DecompressionStream('deflate-raw'))) : '{}';
  const saved = JSON.parse(text);
  // Addresses without a version store differences from the defaults of the library.
  const config = hash && saved?.version === undefined ? libraryConfig() : undefined;
  return { document: checkDocument(saved?.document, config), view: checkView(saved?.view) };
}

/** Keeps the address up to date. @param {import('./store.js').Store} store */
export function followUrl(store) {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  store.subscribe((state, previous) => {
    if (state.document === previous.document && state.view === previous.view) return;
    clearTimeout(timer);
    timer = setTimeout(async () => {
      const hash = await writeHash(store.state.document, store.state.view);
      try {
        history.replaceState(null, '', hash ? `#${hash}` : location.pathname + location.search);
      } catch {
        // Too long for this browser: project/autosave.js stores the work, too.
      }
    }, DELAY);
  });
}
