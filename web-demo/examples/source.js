/** Shows source text with coloured comments, strings and keywords: enough for the examples. */

const PARTS = new RegExp([
  '(?<comment>\\/\\*[^]*?\\*\\/|(?<![:\'"])\\/\\/.*|<!--[^]*?-->)',
  '(?<string>\'(?:[^\'\\\\\\n]|\\\\.)*\'|"[^"\\n]*"|`(?:[^`\\\\]|\\\\.)*`)',
  '(?<keyword>\\b(?:import|from|export|const|let|function|return|for|of|if|else|new|await|async|try|catch|throw|true|false|undefined)\\b)',
].join('|'), 'g');

/** @param {HTMLElement} element @param {string} text */
export function showSource(element, text) {
  let from = 0;
  const parts = [];
  for (const match of text.matchAll(PARTS)) {
    const [kind] = Object.entries(match.groups ?? {}).find(([, part]) => part !== undefined) ?? [''];
    const span = document.createElement('span');
    span.className = kind;
    span.textContent = match[0];
    parts.push(text.slice(from, match.index), span);
    from = /** @type {number} */ (match.index) + match[0].length;
  }
  element.replaceChildren(...parts, text.slice(from));
}

/** Loads the unchanged source of an example. @param {string} name */
export async function fetchSource(name) {
  const answer = await fetch(`./source/${name}.txt`);
  if (!answer.ok) throw new Error(`No example ${name}. Choose one from the list of examples.`);
  return answer.text();
}
