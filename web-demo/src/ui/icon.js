/** Lucide icons, part of the page: nothing is loaded. */
import { unsafeHTML } from 'lit/directives/unsafe-html.js';

const files = /** @type {Record<string, string>} */ (import.meta.glob([
  '../../../node_modules/lucide-static/icons/{crosshair,play,square,undo-2,redo-2,download,upload,link,sun,moon,monitor,circle-question-mark,route,ruler,locate,flame,dices,box,shapes,spline,door-open,users,panel-left,panel-right,folder-open,image,layers,sliders-horizontal,eye,eye-off,trash-2,copy,x,chevron-down,chevron-right,rotate-ccw,triangle-alert,circle-x,info,circle-check,scan,maximize,pause,step-forward,plus,minus,move,mouse-pointer-2,grid-3x3,cuboid,cylinder,circle,pill,pentagon,keyboard,code,save,wand-sparkles,radar,waypoints,map-pin,scissors,refresh-cw,share-2,list,target,footprints,git-commit-horizontal,arrow-left-right,lock,lock-open,palette,book-open,car,person-standing,bug,diamond}.svg',
  '../../../node_modules/lucide-static/icons/{move-up-right,send,user-plus,square-dashed-mouse-pointer,shuffle,corner-right-down}.svg',
], { query: '?raw', import: 'default', eager: true }));

const icons = new Map(Object.entries(files).map(([path, svg]) => [
  path.slice(path.lastIndexOf('/') + 1, -4),
  svg.slice(svg.indexOf('<svg')).replace('<svg', '<svg aria-hidden="true" focusable="false"'),
]));

/** @param {string} name of an icon in the list above @param {string} [slot] of the enclosing component */
export function icon(name, slot = '') {
  const svg = icons.get(name);
  if (!svg) throw new Error(`unknown icon ${name}. Add it to the list in ui/icon.js`);
  return unsafeHTML(slot ? svg.replace('<svg', `<svg slot="${slot}"`) : svg);
}
