/** Plays programs natively: tests/c/crowd_player.c. */
import { spawn } from 'node:child_process';

/**
 * Returns the hashes that a program requests.
 * @param {string} player path of the native player @param {string} program path of the program
 * @param {{ isShuffled?: boolean, isSaved?: boolean }} [options]
 * @returns {Promise<string[]>}
 */
export function playNatively(player, program, { isShuffled = false, isSaved = false } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(player, [program, ...(isShuffled ? ['--shuffled'] : isSaved ? ['--saved'] : [])], { stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '', errors = '';
    child.stdout.on('data', (chunk) => (output += chunk));
    child.stderr.on('data', (chunk) => (errors += chunk));
    child.on('error', reject);
    child.on('close', (status) => {
      if (status === 0) resolve(output.split('\n').filter(Boolean));
      else reject(new Error(`${player} ended with ${status}: ${errors}`));
    });
  });
}
