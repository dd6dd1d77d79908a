/** Text to the clipboard, with a word about it. */

/** @param {import('../app.js').App} app @param {string} text @param {string} done what is said then @param {string} [more] */
export async function copyText(app, text, done, more = '') {
  try {
    await navigator.clipboard.writeText(text);
    app.notices.info(done, more);
  } catch {
    app.notices.warn('The browser does not let the page copy', 'Mark the text and copy it by hand.');
  }
}
