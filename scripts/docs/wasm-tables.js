/** The tables of docs/wasm-api.md: exports, enumerations and structs of the modules, from wasm/api.js. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../setup.js';

/** @typedef {import('../../wasm/api.js').Api} Api */

/** The first sentence of a C file, without "Exports of". @param {string} file */
function readTopic(file) {
  const [, comment] = /^\/\*([^]*?)\*\//.exec(readFileSync(join(ROOT, file), 'utf8')) ?? [];
  const sentence = (comment ?? '').replace(/\n \*/g, ' ').replace(/\s+/g, ' ').trim().replace(/^(.*?[.;])( .*)?$/, '$1').replace(/[.;]$/, '');
  return sentence.replace(/^(?:Exports of )?(\w)/, (_, letter) => letter.toUpperCase());
}

/** @param {string} text */
const escape = (text) => text.replaceAll('|', '\\|').replaceAll('<', '&lt;');

/** @param {Api} api */
function makeExportTables({ exports }) {
  const files = [...new Set(Object.values(exports).map(({ file }) => file))];
  return files.map((file) => {
    const rows = Object.entries(exports).filter(([, one]) => one.file === file);
    const lines = rows.map(([name, { parameters, result, notes }]) => {
      const list = parameters.map((one) => `${one.name} ${one.type}`).join(', ');
      return `| \`${name}(${list})\` | ${result === 'enum WmStatus' ? 'status' : result && `\`${result}\``} | ${escape(notes)} |`;
    });
    const { inCore, inGame } = rows[0][1];
    const others = [inGame && '`walkmesh-game.wasm`', inCore && '`walkmesh-core.wasm`'].filter(Boolean).join(' and ');
    const where = others && ` Also in ${others}.`;
    return `${readTopic(file)} (\`${file}\`).${where}\n\n| export | returns | |\n| --- | --- | --- |\n${lines.join('\n')}`;
  }).join('\n\n');
}

/** @param {Api} api */
function makeEnumTable({ enums }) {
  const rows = Object.entries(enums).map(([name, values]) => (
    `| \`${name}\` | ${Object.entries(values).map(([key, value]) => `${value} \`${key}\``).join(', ')} |`));
  return `| enumeration | values |\n| --- | --- |\n${rows.join('\n')}`;
}

/** @param {Api} api */
function makeStructTables({ structs }) {
  return Object.entries(structs).map(([name, { bytes, header, members }]) => {
    const rows = Object.entries(members).map(([member, { byte, type, bits }]) => (
      `| ${byte} | \`${type}\`${bits ? ` bits ${bits}` : ''} | \`${member}\` |`));
    return `**\`${name}\`**, ${bytes} bytes (\`${header}\`)\n\n| byte | type | member |\n| ---: | --- | --- |\n${rows.join('\n')}`;
  }).join('\n\n');
}

/**
 * The page with present tables: each stands between `<!-- made: NAME -->` and `<!-- end -->`.
 * @param {string} page @param {Api} api @returns {string}
 */
export function fillTables(page, api) {
  /** @type {Record<string, (api: Api) => string>} */
  const makers = { exports: makeExportTables, enums: makeEnumTable, structs: makeStructTables };
  return page.replace(/(<!-- made: (\w+) -->\n)[^]*?(<!-- end -->)/g, (_, start, name, end) => `${start}\n${makers[name](api)}\n\n${end}`);
}
