/** Polls until the answer isn't empty. @template T @param {() => Promise<T>} ask @returns {Promise<T>} */
export async function pollUntil(ask) {
  for (;;) {
    const answer = await ask();
    if (answer) return answer;
    await new Promise((resolve) => { setTimeout(resolve, 20); });
  }
}
