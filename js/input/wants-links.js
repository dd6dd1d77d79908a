/** Whether a configuration has links, for every bake: the rest of links is loaded when it is first used (scripts/bundle.js). */
import { NavError } from '../runtime/errors.js';
import { SEGMENT_LINK_KINDS } from '../runtime/link-kinds.js';

/** True if a configuration asks for links. @param {Pick<import('./config.js').Config, 'links'> | null | undefined} config */
export const wantsLinks = (config) => SEGMENT_LINK_KINDS.some((kind) => config?.links?.[kind] !== undefined);

/**
 * Throws if a bake is to return its link generator, but makes no links.
 * @param {boolean | undefined} keepLinkGenerator @param {import('./config.js').Config | undefined} config
 */
export function requireLinksToKeep(keepLinkGenerator, config) {
  if (!keepLinkGenerator || wantsLinks(config)) return;
  throw new NavError('configuration', 'keepLinkGenerator needs links: set drop, jump, climb or vault in links', { field: 'links', value: config?.links });
}
