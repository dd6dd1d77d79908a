// The pace of the level tool's drawings: while work is in progress they take a small part of the time, and input is answered at once.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Pace } from '../../web-demo/src/view/pace.js';

/** A pace whose clock and input the test moves; `draw` takes the given milliseconds. */
function makePace() {
  const target = new EventTarget();
  const clock = { now: 5000, woken: 0 };
  const pace = new Pace(() => { clock.woken++; }, { target, now: () => clock.now });
  const draw = (/** @type {number} */ milliseconds) => {
    pace.beginDrawing();
    clock.now += milliseconds;
    pace.endDrawing();
  };
  const send = (/** @type {string} */ type, /** @type {object} */ fields = {}) => { target.dispatchEvent(Object.assign(new Event(type), fields)); };
  return { pace, clock, draw, send };
}

/** Counts the drawings in six seconds of work, each of which takes `milliseconds`. @param {number} milliseconds */
function countDrawings(milliseconds) {
  const { pace, clock, draw } = makePace();
  draw(milliseconds);
  const end = pace.begin();
  let count = 0;
  for (const start = clock.now; clock.now < start + 6000; clock.now += 16) {
    if (pace.mustWait) continue;
    draw(milliseconds);
    count++;
  }
  end();
  return { count, share: count * milliseconds / 6000 };
}

test('drawings that take 200 ms take at most an eighth of the time of a bake, and go on', () => {
  const { count, share } = countDrawings(200);
  assert.ok(share <= 1 / 8, `${share}`);
  assert.ok(count >= 3, `${count} drawings in six seconds`);
});

test('drawings of a graphics card are as frequent as ever', () => {
  assert.ok(countDrawings(1).count > 300);
});

test('work that ends sooner than three drawings take is drawn at its end only', () => {
  const { pace, clock, draw, send } = makePace();
  draw(200);
  let left = 5000;
  const end = pace.begin(() => left);
  clock.now += 1500;
  assert.equal(pace.mustWait, false, 'much is left, and the pause is over');
  left = 590;
  assert.equal(pace.mustWait, true);
  send('keydown');
  assert.equal(pace.mustWait, false, 'after input');
  clock.now += 400;
  assert.equal(pace.mustWait, true);
  end();
  assert.equal(pace.mustWait, false);
  assert.equal(clock.woken, 1);
});

test('without work, and after input, no drawing waits', () => {
  const { pace, clock, draw, send } = makePace();
  draw(200);
  assert.equal(pace.mustWait, false);
  const end = pace.begin();
  assert.equal(pace.mustWait, true);
  send('pointermove', { buttons: 0 });
  assert.equal(pace.mustWait, true, 'a pointer that passes by is no input');
  send('pointermove', { buttons: 1 });
  assert.equal(pace.mustWait, false);
  clock.now += 400;
  assert.equal(pace.mustWait, true);
  send('keydown');
  assert.equal(pace.mustWait, false);
  clock.now += 400;
  end();
  assert.equal(pace.mustWait, false);
});

test('work within work slows drawings down until both have ended; each end counts once', () => {
  const { pace, clock, draw } = makePace();
  draw(200);
  const [endFirst, endSecond] = [pace.begin(), pace.begin()];
  endFirst();
  endFirst();
  assert.equal(pace.isSlow, true);
  assert.equal(clock.woken, 0);
  endSecond();
  assert.equal(pace.isSlow, false);
  assert.equal(clock.woken, 1, 'what waited is drawn now');
});

test('a drawing that waited is drawn without another request', async (context) => {
  context.mock.timers.enable({ apis: ['setTimeout'] });
  const { pace, clock, draw } = makePace();
  draw(100);
  const end = pace.begin();
  assert.equal(pace.mustWait, true);
  context.mock.timers.tick(690);
  assert.equal(clock.woken, 0);
  context.mock.timers.tick(20);
  assert.equal(clock.woken, 1);
  clock.now += 710;
  assert.equal(pace.mustWait, false);
  end();
});

test('a drawing that a hidden page ends late does not stop the drawings of the next bake', () => {
  const { pace, clock, draw } = makePace();
  draw(3_600_000);
  const end = pace.begin();
  clock.now += 4100;
  assert.equal(pace.mustWait, false);
  end();
});
