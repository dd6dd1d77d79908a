/**
 * What goes between the page and the worker that makes a level.
 *
 * @typedef {{ name: string, blob: Blob }} LevelFile
 * @typedef {{ files: LevelFile[] } | { scene: string, url: string }} LevelRequest files: the level first, then what it may name
 * @typedef {{ step: string, share: number | null }} LevelProgress
 * @typedef {{ progress: LevelProgress } | { level: import('./make-level.js').MadeLevel, key?: string } | { error: string }} LevelAnswer key: of
 *   files: the same for the same contents
 */
export {};
