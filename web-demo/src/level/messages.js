/**
 * Messages between the page and the worker that makes levels.
 *
 * @typedef {{ name: string, blob: Blob }} LevelFile
 * @typedef {{ files: LevelFile[] } | { scene: string, url: string }} LevelSource files: the level first, then the files it may name
 * @typedef {LevelSource & { import?: Partial<import('./import-settings.js').ImportSettings> }} LevelRequest
 * @typedef {{ step: string, share: number | null }} LevelProgress
 * @typedef {{ progress: LevelProgress } | { level: import('./make-level.js').MadeLevel, key?: string } | { error: string }} LevelAnswer key: equal
 * for files with equal contents
 */
export {};
