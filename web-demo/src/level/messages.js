/**
 * Messages between the page and the worker that makes levels.
 *
 * @typedef {{ name: string, blob: Blob }} LevelFile
 * @typedef {{ files: LevelFile[] } | { scene: string, url: string }} LevelRequest files: the level first, then the files it may name
 * @typedef {{ step: string, share: number | null }} LevelProgress
 * @typedef {{ progress: LevelProgress } | { level: import('./make-level.js').MadeLevel, key?: string } | { error: string }} LevelAnswer key: equal
 * for files with equal contents
 */
export {};
