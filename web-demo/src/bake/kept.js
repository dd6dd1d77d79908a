/** Settings that the user made for one level and that stay when another one is opened. */
import { defaultToolConfig } from '../state/document.js';
import { ownFields } from './chosen.js';
import { FIELD_GROUPS } from './config-table.js';
import { findPreset, suggest } from './suggest.js';

/** @typedef {import('../state/document.js').Document} Document */
/** @typedef {import('./config-table.js').FieldRow} FieldRow */

/** Most settings that are named, and seconds for which the message stays. */
const [MOST, SECONDS] = [3, 30];

/** A setting with its value: "max step height 0.5 m". @param {FieldRow} row @param {Document['config']} config */
function nameSetting(row, config) {
  const value = config[row.name];
  const unit = row.kind !== 'number' || row.unit === '' ? '' : row.unit === 'degrees' ? '°' : ` ${row.unit}`;
  return `${row.label.toLowerCase()} ${row.kind === 'switch' ? (value ? 'on' : 'off') : value}${unit}`;
}

/**
 * The fields that differ from the tool's defaults and aren't the tool's own choice for a level; none of a preset, which its button names.
 * @param {Document} document @returns {FieldRow[]}
 */
function keptFields({ config, chosen }) {
  const initial = defaultToolConfig();
  const agent = Object.keys(findPreset(config)?.agent ?? {});
  const mine = /** @type {readonly string[]} */ (ownFields({ config, chosen })).concat(agent);
  return FIELD_GROUPS.flatMap(({ fields }) => fields).filter(({ name }) => config[name] !== initial[name] && !mine.includes(name));
}

/** @param {readonly FieldRow[]} kept @param {Document['config']} config */
function nameKept(kept, config) {
  const names = kept.slice(0, MOST).map((row) => nameSetting(row, config));
  const text = kept.length > MOST ? `${names.join(', ')} and ${kept.length - MOST} more` : names.join(', ').replace(/, ([^,]*)$/, ' and $1');
  return `${text[0].toUpperCase()}${text.slice(1)} ${kept.length === 1 ? 'is' : 'are'} kept`;
}

/**
 * The values that fields would have if the user hadn't set them.
 * @param {readonly FieldRow[]} kept @param {Document['config']} config @param {import('./suggest.js').Bounds} bounds of the level
 * @returns {Partial<Document['config']>}
 */
function defaultsFor(kept, config, bounds) {
  const initial = defaultToolConfig();
  const fields = Object.fromEntries(kept.map(({ name }) => [name, initial[name]]));
  const sizes = suggest(bounds, { ...config, ...fields }).config;
  return { ...fields, ...Object.fromEntries(Object.entries(sizes).filter(([name]) => name in fields)) };
}

/**
 * Says which settings of the user stay when another level is opened, and offers the level's own; the message closes once they change, or
 * a further level is opened. Called before the document names the level.
 * @param {import('../app.js').App} app @param {Document['level']} level @param {string} name of the level
 */
export function tellKept({ store, notices }, level, name) {
  const { config: before } = store.state.document;
  const kept = keptFields(store.state.document);
  if (kept.length === 0) return;
  const label = `Use this level's ${kept.length === 1 ? 'default' : 'defaults'}`;
  const reset = () => {
    const { bounds } = store.state.session.level ?? {};
    if (!bounds) return;
    store.commit();
    store.edit(label.toLowerCase(), ({ config }) => { Object.assign(config, defaultsFor(kept, config, bounds)); });
    store.commit();
  };
  const id = notices.info(nameKept(kept, before), `You set ${kept.length === 1 ? 'it' : 'them'} before you opened ${name}.`, [{ label, run: reset }], { seconds: SECONDS });
  const end = store.subscribe(({ document: { config, level: now } }) => {
    const isOpen = now.kind === level.kind && now.name === level.name && now.key === level.key;
    if (isOpen && notices.all.some((notice) => notice.id === id) && kept.every((row) => config[row.name] === before[row.name])) return;
    end();
    notices.close(id);
  });
}
