/**
 * Collects garbage all the time, so that a test fails if a result depends on when that happens:
 *
 *   node --import ./tests/js/collect-often.js --test tests/js/*.test.js
 */
import { collect } from './garbage.js';

setInterval(collect, 3).unref();
