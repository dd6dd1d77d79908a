/** The layout of the page; panels.js fills it. */
import { html, render } from 'lit';

/**
 * @typedef {object} Shell
 * @property {HTMLElement} root
 * @property {HTMLElement} bar
 * @property {HTMLElement} left
 * @property {HTMLElement} right
 * @property {HTMLElement} view
 * @property {HTMLElement} rail
 * @property {HTMLElement} status
 * @property {HTMLElement} notices
 * @property {HTMLElement} overlays for dialogs and overlays
 */

/** Moves the focus to the 3D view: an address without a fragment, since the fragment stores the state. @param {HTMLElement} root @param {Event} event */
function skipToView(root, event) {
  event.preventDefault();
  /** @type {HTMLElement | null} */ (root.querySelector('.view canvas'))?.focus();
}

/** @param {HTMLElement} root @returns {Shell} */
export function makeShell(root) {
  render(html`
    <a class="skip" href="#view" @click=${(/** @type {Event} */ event) => skipToView(root, event)}>Skip to the 3D view</a>
    <header class="bar" data-part="bar"></header>
    <aside class="panel left" data-part="left" aria-label="Level and bake"></aside>
    <main class="stage">
      <div class="view" id="view" data-part="view"></div>
      <nav class="rail" data-part="rail" aria-label="Tools"></nav>
      <div class="notices" data-part="notices"></div>
    </main>
    <aside class="panel right" data-part="right" aria-label="Layers and tool"></aside>
    <footer class="status" data-part="status"></footer>
    <div data-part="overlays"></div>`, root);
  const part = (/** @type {string} */ name) => /** @type {HTMLElement} */ (root.querySelector(`[data-part=${name}]`));
  return {
    root, bar: part('bar'), left: part('left'), right: part('right'), view: part('view'), rail: part('rail'),
    status: part('status'), notices: part('notices'), overlays: part('overlays'),
  };
}
