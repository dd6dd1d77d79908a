/** Copies text to the clipboard and reports the result. */

/**
 * @param {import('../app.js').App} app @param {string} text @param {string} done message after success @param {string} [more] after it
 * @param {string} [otherwise] what to do where the browser refuses
 */
export async function copyText(app, text, done, more = '', otherwise = 'Select the text and copy it yourself.') {
  try {
    await navigator.clipboard.writeText(text);
    app.notices.info(done, more);
  } catch {
    app.notices.warn("The browser doesn't allow copying", otherwise);
  }
}
