/**
 * The tool for generated links: a click on a link shows what it is and the body swept along it; clicks on a take-off and a landing say why no
 * link leads there.
 */
import { Group } from 'three';
import { html, nothing } from 'lit';
import { areaOf, areasOf } from '../edit/areas.js';
import { SEGMENT_LINKS, CONNECTIONS } from '../layers/colors.js';
import { Dots, Lines, lifted, polyline } from '../tools/query-drawing.js';
import { tidy } from '../tools/default-markers.js';
import { verdictOf } from '../tools/result-summary.js';
import { costs, metres } from '../tools/result-text.js';
import { factList, pointField, switchField } from '../ui/fields.js';
import { icon } from '../ui/icon.js';
import { say } from '../ui/touch.js';
import { END, START } from '../view/colors.js';
import { LINK_KINDS, wantsLinks } from './kinds.js';
import { linksAlong } from './along.js';
import { allowLinks, applyLinkFix, forbidLinks, pinLink, pinOf, removeEntry } from './link-edits.js';
import { findLinkAt, spotOfLink } from './link-sync.js';
import { nameLink, refusalWords, sizeOfLink, spotWords } from './link-words.js';
import { linksHelperOf } from './links-layer.js';
import { explainPair } from './pair.js';
import { Sweep } from './sweep.js';

/** @typedef {import('../app.js').App} App */
/** @typedef {import('../state/document.js').Point} Point */
/** @typedef {import('../state/document.js').State} State */
/** @typedef {import('../tools/tools.js').Tool} Tool */
/** @typedef {import('../view/picking.js').LevelHit} LevelHit */
/** @typedef {import('walkmesh').SegmentLink} SegmentLink */
/** @typedef {import('./link-sync.js').LinkSpot} LinkSpot */
/** @typedef {import('./pair.js').PairAnswer} PairAnswer */

/** @type {import('../tools/tools.js').ToolKind} */
export const linksTool = {
  id: 'segmentLinks', label: 'Links', icon: 'corner-right-down', shortcut: 'l', group: 'query',
  hint: 'Click a link, or a take-off and a landing to see why there is none. Esc clears.',
  create: (app) => new LinksTool(app),
};

/** Distance behind the level's surface at which links still count as in front of it, world units: they are drawn nearer than they are. */
const BEHIND = 0.5;
/** Colours of the question's line and of the marked place. */
const [QUESTION, MARK] = [0xffffff, 0xffb454];

/** @implements {Tool} */
class LinksTool {
  #app;
  #isActive = false;
  /** The place of the selected link: its reference changes when links are generated again. @type {LinkSpot | null} */
  #place = null;
  /** @type {SegmentLink | null} */
  #link = null;
  /** @type {Point | null} */
  #from = null;
  /** @type {Point | null} */
  #to = null;
  /** @type {PairAnswer | null} */
  #answer = null;
  #root = new Group();
  #sweep = new Sweep();
  #line = new Lines({ color: QUESTION, width: 2, dashed: true });
  #start = new Dots({ color: START, size: 13 });
  #end = new Dots({ color: END, size: 13 });
  #mark = new Dots({ color: MARK, size: 17 });

  /** @param {App} app */
  constructor(app) {
    this.#app = app;
    this.#root.name = 'tool links';
    this.#root.add(this.#sweep, this.#line, this.#mark, this.#start, this.#end);
    app.events.on('mesh-ending', () => this.#forget());
    app.events.on('level', () => this.#clear());
    for (const name of /** @type {const} */ (['mesh', 'tiles', 'links'])) app.events.on(name, () => this.#lookAgain());
  }

  activate() {
    this.#isActive = true;
    this.#app.viewport.overlay.add(this.#root);
    this.#lookAgain();
  }

  deactivate() {
    this.#isActive = false;
    this.#root.removeFromParent();
    this.#app.viewport.invalidate();
  }

  /** The selected link, for tests. */
  get link() {
    return this.#link;
  }

  /** That of the mesh, in which links rise over obstacles. */
  get #cellHeight() {
    return this.#app.bakes.current?.navMesh.parameters.cellHeight ?? 0;
  }

  /** The answer to the question, for tests. */
  get answer() {
    return this.#answer;
  }

  // ---- Input -------------------------------------------------------------------------------------------------

  /** @param {LevelHit | null} hit @param {PointerEvent} event */
  click(hit, event) {
    const isQuestion = this.#from !== null && this.#to === null;
    const links = isQuestion && hit ? [] : this.#linksAt(hit, event);
    if (links.length > 0) {
      // Another click selects the next one: a drop and the climb back take the same way.
      const now = links.findIndex(({ ref }) => ref === this.#link?.ref);
      this.select(links[(now + 1) % links.length]);
      return;
    }
    if (!hit) this.#clear();
    else if (isQuestion) this.ask(/** @type {Point} */ (this.#from), hit.point);
    else this.#begin(hit.point);
  }

  /** @param {LevelHit | null} hit @param {PointerEvent} event */
  pointermove(hit, event) {
    const canvas = this.#app.viewport.canvas;
    if (!this.#app.handles.at(event)) canvas.style.cursor = (this.#from === null || this.#to) && this.#linksAt(hit, event).length > 0 ? 'pointer' : 'crosshair';
    if (this.#from && !this.#to && hit) {
      this.#line.set(polyline([...this.#from, ...hit.point]));
      this.#app.viewport.invalidate();
    }
    return false;
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (event.key !== 'Escape' || (!this.#place && !this.#from)) return false;
    this.#clear();
    return true;
  }

  /** The links under the pointer that the level doesn't hide, the nearest first. @param {LevelHit | null} hit @param {PointerEvent} event @returns {SegmentLink[]} */
  #linksAt(hit, event) {
    const { picking, bakes } = this.#app;
    const ray = picking.ray(event);
    const farthest = hit ? Math.hypot(...hit.point.map((value, axis) => value - ray.origin.getComponent(axis))) + BEHIND : Infinity;
    const navMesh = bakes.current?.navMesh;
    return navMesh ? (linksHelperOf(this.#app)?.linksAt(ray, farthest) ?? []).map((ref) => navMesh.segmentLink(ref)) : [];
  }

  // ---- Selection and question ---------------------------------------------------------------------------------

  /** @param {SegmentLink} link */
  select(link) {
    this.#from = this.#to = this.#answer = null;
    this.#place = spotOfLink(link);
    this.#link = link;
    this.#draw();
  }

  /** @param {Point} from */
  #begin(from) {
    this.#place = this.#link = this.#to = this.#answer = null;
    this.#from = tidy(from);
    this.#draw();
  }

  /** Asks why no link leads from one point to another. @param {Point} from @param {Point} to */
  ask(from, to) {
    [this.#from, this.#to] = [tidy(from), tidy(to)];
    this.#place = null;
    this.#answerNow();
    this.#draw();
  }

  #clear() {
    this.#place = this.#link = this.#from = this.#to = this.#answer = null;
    this.#draw();
  }

  /** The mesh is about to be freed. */
  #forget() {
    this.#link = this.#answer = null;
    this.#sweep.hide();
  }

  /** After a change of the mesh or its links. */
  #lookAgain() {
    if (!this.#isActive) return;
    const navMesh = this.#app.bakes.current?.navMesh;
    this.#link = navMesh && this.#place ? findLinkAt(navMesh, this.#place) : null;
    this.#answerNow();
    this.#draw();
  }

  #answerNow() {
    const { generator } = this.#app.links;
    const navMesh = this.#app.bakes.current?.navMesh;
    this.#answer = generator && navMesh && this.#from && this.#to ? explainPair(navMesh, generator, this.#from, this.#to, this.#app.store.state.document) : null;
    const refused = this.#answer?.refused;
    if (refused?.reason === null && navMesh) this.#link = findLinkAt(navMesh, refused);
    else if (this.#from) this.#link = null;
  }

  /** Why the body doesn't pass along a link that was made by hand. @param {SegmentLink} link */
  #blockedOf({ byHand, userId }) {
    return byHand ? this.#app.links.blocked.get(userId) : undefined;
  }

  #draw() {
    const navMesh = this.#app.bakes.current?.navMesh;
    const [from, to, refused] = [this.#from, this.#to, this.#answer?.refused];
    if (navMesh && this.#link) this.#sweep.show(navMesh, this.#link, this.#link.enabled ? SEGMENT_LINKS[this.#link.kind] : CONNECTIONS.disabled);
    else this.#sweep.hide();
    this.#start.set(from ? lifted(from) : []);
    this.#end.set(to ? lifted(to) : []);
    this.#line.set(from && to ? polyline([...from, ...to]) : []);
    const stopped = this.#link ? this.#blockedOf(this.#link) : refused;
    this.#mark.set(stopped && stopped.reason !== null ? lifted(stopped.place) : []);
    this.#app.viewport.invalidate();
    this.#app.panels.refresh();
  }

  // ---- Panel -------------------------------------------------------------------------------------------------

  /** @param {State} state */
  panel(state) {
    return html`
      ${this.#drawNotice(state)}
      ${this.#from ? this.#drawQuestion(state) : this.#link ? this.#drawLink(state, this.#link) : html`<p class="quiet">${say(this.#place ? 'There is no link at this place any more.' : 'Click a link to inspect it. Click a take-off, then a landing, to see why there is no link.')}</p>`}
      ${this.#drawLists(state)}
      ${switchField({
        label: 'Show refused places', value: this.#app.layers.setting('refusedLinks').visible, hint: 'Where candidates were stopped, one colour per reason.',
        change: (visible) => this.#app.layers.set('refusedLinks', { visible }),
      })}`;
  }

  /** What is missing before anything can be clicked. @param {State} state */
  #drawNotice(state) {
    const { layers, links, panels, bakes } = this.#app;
    if (!bakes.current) return nothing;
    if (!layers.setting('segmentLinks').visible) {
      return html`<wa-callout variant="neutral" size="s">The layer Links is hidden.
        <wa-button size="s" appearance="outlined" @click=${() => layers.set('segmentLinks', { visible: true })}>Show links</wa-button></wa-callout>`;
    }
    const off = LINK_KINDS.filter(({ kind }) => !state.document.links[kind].isOn);
    const isForeign = !wantsLinks(state.document) && bakes.current.navMesh.segmentLinkCount > 0;
    return html`
      ${links.isPending ? html`<p class="quiet" role="status">Generating links …</p>` : nothing}
      ${off.length === 0 || isForeign ? nothing : html`<wa-callout variant="neutral" size="s">${off.length === LINK_KINDS.length ? 'No kind of link is on.' : 'These kinds are off.'}
        <span class="mends" role="group" aria-label="Switch on">${off.map(({ kind, label }) => html`
          <button class="mend" @click=${() => {
            applyLinkFix(this.#app, { label, step: `switch on ${kind}`, change: (all) => { all[kind].isOn = true; } });
            panels.refresh();
          }}>${label}</button>`)}</span></wa-callout>`}`;
  }

  /** @param {State} state */
  #drawQuestion(state) {
    const { canGenerate, isPending } = this.#app.links;
    const [from, to] = [/** @type {Point} */ (this.#from), this.#to];
    return html`
      ${to ? nothing : html`<p class="hint">${say('Click')} the landing. Esc cancels.</p>`}
      ${this.#answer ? this.#drawAnswer(state, this.#answer) : nothing}
      ${to && !this.#answer && !isPending ? html`<p class="quiet">${!canGenerate ? 'This mesh was opened from a file: bake the level to ask.' : wantsLinks(state.document) ? '' : 'Switch on a kind of link to ask.'}</p>` : nothing}
      ${pointField({ label: 'Take-off', value: from, change: (point) => (to ? this.ask(point, to) : this.#begin(point)) })}
      ${to ? pointField({ label: 'Landing', value: to, change: (point) => this.ask(from, point) }) : nothing}`;
  }

  /** @param {State} state @param {PairAnswer} answer */
  #drawAnswer(state, answer) {
    if (answer.refused?.reason === null) {
      return html`${verdictOf({ tone: 'good', title: 'There is a link', text: this.#link ? `${nameLink(this.#link, this.#cellHeight)}.` : '' })}
        ${this.#link ? this.#drawActions(state, this.#link) : nothing}`;
    }
    const { title, text, fix } = answer.refused ? refusalWords(answer.refused, state.document) : spotWords(answer);
    return html`${verdictOf({ tone: 'bad', title, text })}
      ${fix ? html`<div class="mends" role="group" aria-label="Make a link"><button class="mend" @click=${() => applyLinkFix(this.#app, fix)}>${fix.label}</button></div>` : nothing}`;
  }

  /** @param {State} state @param {SegmentLink} link */
  #drawLink(state, link) {
    const { distance, height } = sizeOfLink(link);
    const area = areaOf(areasOf(state.document), link.area);
    const isTied = link.startTied && link.endTied;
    const blocked = this.#blockedOf(link);
    const ends = link.startTied ? "Its landing isn't" : link.endTied ? "Its take-off isn't" : "Its ends aren't";
    return html`
      ${verdictOf(!isTied ? { tone: 'bad', title: nameLink(link, this.#cellHeight), text: `${ends} on the mesh.` }
        : blocked ? { tone: 'bad', title: nameLink(link, this.#cellHeight), text: `${refusalWords(blocked, state.document).text} Paths use it all the same.` }
        : link.enabled ? { tone: 'good', title: nameLink(link, this.#cellHeight), text: link.bidirectional ? 'Both directions.' : 'One way.' }
          : { tone: 'fair', title: nameLink(link, this.#cellHeight), text: 'Switched off here, also after later bakes.' })}
      ${this.#drawActions(state, link)}
      ${factList([
        ['Width', metres(link.width)], ['Distance', metres(distance)], [height < 0 ? 'Down' : 'Up', metres(Math.abs(height))],
        ...(link.kind === 'jump' || link.kind === 'vault' ? [/** @type {[string, unknown]} */ (['Feet rise above its ends', metres(link.peak)])] : []),
        ['Cost', costs(link.cost * area.cost)], ['Area', html`<i class="swatch" style="background:${area.color}"></i><span class="name">${area.name}</span>`],
        ['Origin', link.byHand ? 'Pinned' : 'Generated'], ['Link', html`<code aria-label="Link reference">${link.ref}</code>`],
        ['Take-off', pointWords(spotOfLink(link).start)], ['Landing', pointWords(spotOfLink(link).end)],
      ])}`;
  }

  /** @param {State} state @param {SegmentLink} link */
  #drawActions(state, link) {
    const pinned = pinOf(this.#app, link), navMesh = this.#app.bakes.current?.navMesh;
    const along = navMesh ? linksAlong(navMesh, link) : [link];
    return html`<div class="buttons">
      ${this.#drawSwitch([link])}${along.length > 1 ? this.#drawSwitch(along) : nothing}
      ${pinned ? html`<wa-button size="s" appearance="outlined" @click=${() => removeEntry(this.#app, 'pinnedLinks', pinned.id, `unpin ${link.kind}`)}>${icon('map-pin', 'start')}Unpin</wa-button>`
        : html`<wa-button size="s" appearance="outlined" title="Keeps it when settings change" @click=${() => pinLink(this.#app, link)}>${icon('map-pin', 'start')}Pin</wa-button>`}
    </div>`;
  }

  /** Forbids or allows links of an edge. @param {readonly SegmentLink[]} links all on or all off */
  #drawSwitch(links) {
    const [{ enabled, kind }] = links, all = `all ${links.length} ${kind}s along here`;
    return enabled
      ? html`<wa-button size="s" appearance="outlined" title=${links.length > 1 ? 'Those that continue this one on the same edge' : 'Switches it off, also after later bakes'} @click=${() => forbidLinks(this.#app, links)}>${
        icon('circle-x', 'start')}${links.length > 1 ? `Forbid ${all}` : 'Forbid here'}</wa-button>`
      : html`<wa-button size="s" appearance="outlined" @click=${() => allowLinks(this.#app, links)}>${icon('circle-check', 'start')}${links.length > 1 ? `Allow ${all}` : 'Allow again'}</wa-button>`;
  }

  /** What the user forbade and pinned. @param {State} state */
  #drawLists({ document: { forbiddenLinks, pinnedLinks } }) {
    const list = (/** @type {string} */ title, /** @type {'forbiddenLinks' | 'pinnedLinks'} */ name, /** @type {string} */ verb, /** @type {readonly any[]} */ items) => (items.length === 0 ? nothing : html`
      <h3>${title}</h3><ul class="items" aria-label=${title}>${items.map((item) => {
        const { label } = /** @type {import('./kinds.js').KindRow} */ (LINK_KINDS.find(({ kind }) => kind === item.kind));
        const isBlocked = name === 'pinnedLinks' && this.#app.links.blocked.has(item.id);
        return html`<li><button class="name" @click=${() => this.#show(spotOfLink(item))}><span>${label}${isBlocked ? html` <span class="blocked">Blocked</span>` : nothing}</span><span class="note numbers">${pointWords(spotOfLink(item).start)}</span></button>
          <button class="plain" aria-label="${verb} ${label.toLowerCase()} ${item.id}" title=${verb} @click=${() => removeEntry(this.#app, name, item.id, `${verb.toLowerCase()} ${item.kind}`)}>${icon('x')}</button></li>`;
      })}</ul>`);
    return html`${list('Forbidden links', 'forbiddenLinks', 'Allow', forbiddenLinks)}${list('Pinned links', 'pinnedLinks', 'Unpin', pinnedLinks)}`;
  }

  /** @param {LinkSpot} place */
  #show(place) {
    this.#from = this.#to = this.#answer = null;
    this.#place = place;
    this.#lookAgain();
  }
}

/** @param {Point} point */
const pointWords = (point) => point.map((value) => value.toFixed(1)).join(', ');
