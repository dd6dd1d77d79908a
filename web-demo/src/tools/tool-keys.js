/** The keys of the tools, for the help: the tools themselves handle them (`key` of each tool). */

/** @typedef {{ keys: string, label: string, group: string }} ToolKey */

/** @param {string} group @param {[string, string][]} rows keys and label @returns {ToolKey[]} */
const group = (group, rows) => rows.map(([keys, label]) => ({ keys, label, group }));

/** @type {readonly ToolKey[]} */
export const TOOL_KEYS = [
  ...group('Inspect tool', [['Escape', 'Clear the point']]),
  ...group('Path tool', [
    ['1', 'Choose the start'], ['2', 'Choose the end'], ['x', 'Swap markers'], ['ArrowUp', 'Nudge the marker'], ['PageUp', 'Raise or lower the marker'],
  ]),
  ...group('Links tool', [['Escape', 'Clear the link or question']]),
  ...group('Edit tools', [
    ['ArrowUp', 'Nudge the selection'], ['PageUp', 'Raise or lower it'], [',', 'Rotate'], ['.', 'Rotate'], ['ctrl+click', 'Select several'], ['drag+ctrl', 'Snap to cells'], ['Escape', 'Deselect, or stop placing'],
    ['Enter', 'Close an outline'], ['Backspace', 'Undo a corner'], [' ', 'Open or close a door'],
  ]),
  ...group('Crowd tool', [
    ['1', 'Add agents'], ['2', 'Select agents'], ['3', 'Send agents'], [' ', 'Pause or continue'], ['.', 'One step'], ['a', 'Select all'],
    ['Delete', 'Delete selected agents'], ['Escape', 'Deselect'],
  ]),
];
