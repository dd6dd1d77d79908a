/** Colours with the same meaning everywhere in the tool. */
export const ACCENT = 0x2dd4bf;
export const START = 0x22c55e;
export const END = 0xf43f5e;
export const PATH = 0xfacc15;
export const SELECTED = 0x38bdf8;
