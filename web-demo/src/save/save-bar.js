/** The bar items for saving and sharing: export menu, code, link and shortcuts. */
import { html } from 'lit';
import { icon } from '../ui/icon.js';
import { writeHash } from '../state/url.js';
import { copyText } from './clipboard.js';
import { codeDialog } from './code-dialog.js';
import { EXPORTS, exportFile } from './exports.js';
import { helpDialog } from './help-dialog.js';
import { addImporter } from './importer.js';
import './save.css';

/** @typedef {import('../app.js').App} App */

/** Copies an address that opens this state. @param {App} app */
async function copyLink(app) {
  const { document, view } = app.store.state;
  const hash = await writeHash(document, view);
  const address = location.href.split('#')[0] + (hash ? `#${hash}` : '');
  const { kind, name } = document.level;
  await copyText(app, address, 'Link copied', kind === 'file' ? `The link doesn't contain ${name}: send the file too.` : '', 'Copy it from the address bar.');
}

/** @param {App} app */
function exportMenu(app) {
  const select = (/** @type {any} */ event) => void exportFile(app, event.detail.item.value);
  return html`
    <wa-dropdown class="export-menu" placement="bottom-end" @wa-select=${select}>
      <wa-button slot="trigger" size="s" appearance="outlined" with-caret>${icon('download', 'start')}<span class="bar-word">Export</span></wa-button>
      ${EXPORTS.map(({ id, label, hint, icon: name, unavailable }) => {
        const reason = unavailable(app);
        return html`<wa-dropdown-item value=${id} ?disabled=${reason !== null}>
          ${icon(name, 'icon')}<span class="export-label">${label}</span><span class="export-hint">${reason ?? hint}</span></wa-dropdown-item>`;
      })}
    </wa-dropdown>`;
}

/** @param {App} app */
export function addSaveBar(app) {
  /** @type {'code' | 'help' | null} */
  let open = null;
  const show = (/** @type {typeof open} */ dialog) => {
    open = dialog;
    app.panels.refresh();
  };
  const close = () => show(null);
  app.panels.addBarItem({
    id: 'keep', zone: 'end',
    render: () => html`
      ${exportMenu(app)}
      <button class="plain" aria-label="Bake code" title="Bake code" @click=${() => show('code')}>${icon('code')}</button>
      <button class="plain" aria-label="Copy link" title="Copy link to this state" @click=${() => void copyLink(app)}>${icon('link')}</button>
      <button class="plain shortcuts" aria-label="Shortcuts" title="Shortcuts  ?" @click=${() => show('help')}>${icon('keyboard')}</button>`,
  });
  addImporter(app);
  app.panels.addOverlay('code', () => codeDialog(app, { isOpen: open === 'code', close }));
  app.panels.addOverlay('help', () => helpDialog(app, { isOpen: open === 'help', close }));
  app.shortcuts.add(
    { keys: '?', label: 'Shortcuts', group: 'View', run: () => show('help') },
    { keys: 'ctrl+e', label: 'Export navigation mesh', group: 'Save', run: () => void exportFile(app, 'walkmesh') },
  );
}
