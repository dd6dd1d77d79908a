/** Follows the chosen theme, or the system's. */

/** @param {import('../app.js').App} app */
export function followTheme(app) {
  const system = matchMedia('(prefers-color-scheme: dark)');
  const apply = () => {
    const { theme } = app.store.state.view;
    const isDark = theme === 'dark' || (theme === 'system' && system.matches);
    document.documentElement.classList.toggle('wa-dark', isDark);
    document.documentElement.classList.toggle('wa-light', !isDark);
    app.viewport.setTheme(isDark ? 'dark' : 'light');
  };
  system.addEventListener('change', apply);
  app.store.subscribe((state, previous) => {
    if (state.view.theme !== previous.view.theme) apply();
  });
  apply();
}
