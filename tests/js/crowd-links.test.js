// Crowds on segment links from JavaScript: what info and onConnection say, the game's own traversal, parameters of both.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NavError } from '../../js/index.js';
import { leastGarbage } from './garbage.js';
import { loadBoth } from './support.js';

const STEP = 1 / 60;
const builds = await loadBoth();

/** A floor 20 by 20 at height 3, and one below it that goes on for another 20; a link down, and one up again, 4 m wide. */
function openLedge(walkmesh = builds[0]) {
  const { navMesh } = walkmesh.bake({
    positions: Float32Array.of(0, 3, 0, 0, 3, 20, 20, 3, 20, 20, 3, 0, 18, 0, 0, 18, 0, 20, 40, 0, 20, 40, 0, 0),
    indices: Uint32Array.of(0, 1, 2, 0, 2, 3, 4, 5, 6, 4, 6, 7),
  }, { cellSize: 0.2, agentRadius: 0.4 });
  const drop = navMesh.addSegmentLink({ kind: 'drop', bidirectional: false, start: [[19.4, 3, 12], [19.4, 3, 8]], end: [[21, 0, 12], [21, 0, 8]] });
  return { navMesh, drop, crowd: navMesh.createCrowd() };
}

/** @param {any} crowd @param {() => boolean} isOver @param {() => void} [each] */
function runUntil(crowd, isOver, each = () => {}) {
  for (let i = 0; i < 1200 && !isOver(); i++) {
    crowd.step(STEP);
    each();
  }
  assert.ok(isOver());
}

test('crowd links: info and events say how an agent drops, and where its feet are', () => {
  for (const walkmesh of builds) {
    const { navMesh, drop, crowd } = openLedge(walkmesh);
    const agent = crowd.addAgent([10, 3, 11], { radius: 0.4 });
    /** @type {any[]} */
    const heard = [];
    crowd.onConnection = ({ kind, connection, linkKind, linkAcross, linkPeak, linkIsReversed, start, end, progress }) => {
      assert.deepEqual([connection, linkKind, linkPeak, linkIsReversed], [navMesh.segmentLinks().refs[0], 'drop', 0, false]);
      assert.ok(Math.abs(start[0] - 19.4) < 1e-3 && Math.abs(end[0] - 21) < 1e-3 && start[2] === end[2]);
      assert.ok(Math.abs(linkAcross - (12 - start[2]) / 4) < 1e-5);
      heard.push({ kind, progress });
    };
    crowd.setTarget(agent, [30, 0, 9]);
    assert.equal(crowd.info(agent).linkKind, null);
    runUntil(crowd, () => crowd.state(agent) === 'arrived', () => {
      const { linkKind, linkAcross, connection, connectionProgress: progress, state } = crowd.info(agent);
      assert.equal(linkKind === null, state !== 'on-connection');
      if (progress === 0) return;
      assert.equal(connection, drop);
      const feet = navMesh.segmentLinkPoint(connection, linkAcross, progress), position = crowd.position(agent);
      assert.ok(feet.every((value, i) => Math.abs(value - position[i]) < 1e-4), `${feet} ${position}`);
    });
    assert.equal(heard[0].kind, 'start');
    assert.equal(heard.at(-1).kind, 'end');
    assert.ok(heard.length > 50 && heard.every(({ progress }, i) => i === 0 || progress >= heard[i - 1].progress));
    navMesh.free();
  }
});

test('crowd links: a climb back is reversed, and takes the time of climbSpeed', () => {
  const { navMesh, crowd } = openLedge();
  const climb = navMesh.addSegmentLink({ kind: 'climb', start: [[21, 0, 8], [21, 0, 12]], end: [[19.4, 3, 8], [19.4, 3, 12]], bidirectional: true });
  navMesh.setSegmentLinkEnabled(navMesh.segmentLinks().refs.find((ref) => navMesh.segmentLink(ref).kind === 'drop'), false);
  const times = [];
  for (const climbSpeed of [0, 0.5]) {
    for (const [from, to, isReversed] of /** @type {any} */ ([[[30, 0, 10], [10, 3, 10], false], [[10, 3, 10], [30, 0, 10], true]])) {
      const agent = crowd.addAgent(from, { radius: 0.4, climbSpeed });
      crowd.setTarget(agent, to);
      runUntil(crowd, () => crowd.state(agent) === 'on-connection');
      const { linkKind, linkIsReversed } = crowd.info(agent);
      assert.deepEqual([linkKind, linkIsReversed], ['climb', isReversed]);
      let time = 0;
      runUntil(crowd, () => crowd.state(agent) === 'arrived', () => { if (crowd.state(agent) === 'on-connection') time += STEP; });
      times.push(time);
      crowd.remove(agent);
    }
  }
  const level = 1.6 / 3.5;
  [3 / 1.75, 3 / 1.75, 3 / 0.5, 3 / 0.5].forEach((up, i) => assert.ok(Math.abs(times[i] - up - level) < 0.15, `${times}`));
  assert.equal(navMesh.segmentLink(climb).kind, 'climb');
  navMesh.free();
});

test('crowd links: the game leads an agent along the trajectory', () => {
  const { navMesh, drop, crowd } = openLedge();
  const agent = crowd.addAgent([10, 3, 10], { radius: 0.4, autoConnections: false });
  const kinds = new Set();
  crowd.onConnection = ({ kind, linkKind, start }) => {
    kinds.add(kind);
    assert.equal(linkKind, 'drop');
    assert.ok(Math.abs(start[0] - 19.4) < 1e-3, `${kind}: ${start}`);
    if (kind === 'waiting') crowd.beginConnection(agent);
  };
  crowd.setTarget(agent, [30, 0, 10]);
  runUntil(crowd, () => crowd.state(agent) === 'on-connection');
  for (const progress of [0, 0.25, 0.5, 0.75, 1]) {
    crowd.moveOverConnection(agent, progress);
    crowd.step(STEP);
    const feet = navMesh.segmentLinkPoint(drop, crowd.info(agent).linkAcross, progress);
    crowd.position(agent).forEach((value, i) => assert.ok(Math.abs(value - feet[i]) < 1e-4));
  }
  crowd.endConnection(agent);
  runUntil(crowd, () => crowd.state(agent) === 'arrived');
  assert.deepEqual([...kinds], ['waiting', 'start', 'progress', 'end']);
  navMesh.free();
});

test('crowd links: gravity and climbSpeed are read back, and wrong ones are named', () => {
  const { navMesh } = openLedge();
  const crowd = navMesh.createCrowd({ gravity: 981 });
  assert.equal(crowd.options.gravity, 981);
  assert.equal(crowd.parameters(crowd.addAgent([10, 3, 10], { climbSpeed: 1.5 })).climbSpeed, 1.5);
  for (const [field, act] of /** @type {[string, () => void][]} */ ([['gravity', () => navMesh.createCrowd({ gravity: 0 })],
    ['gravity', () => navMesh.createCrowd({ gravity: NaN })], ['gravity', () => navMesh.createCrowd({ gravity: Infinity })],
    ['climbSpeed', () => crowd.addAgent([10, 3, 10], { climbSpeed: -1 })], ['climbSpeed', () => crowd.addAgent([10, 3, 10], { climbSpeed: NaN })]])) {
    assert.throws(act, (error) => error instanceof NavError && error.code === 'invalid-argument' && error.field === field, field);
  }
  navMesh.free();
});

test('crowd links: reading an agent on a link into a result makes no garbage', async () => {
  const { navMesh, crowd } = openLedge();
  const agent = crowd.addAgent([10, 3, 10], { radius: 0.4 });
  crowd.setTarget(agent, [30, 0, 10]);
  runUntil(crowd, () => crowd.state(agent) === 'on-connection');
  const info = crowd.info(agent);
  assert.equal(info.linkKind, 'drop');
  const bytes = await leastGarbage(() => crowd.info(agent, info), { calls: 2000, below: 8 });
  assert.ok(bytes < 8, `${bytes} bytes`);
  navMesh.free();
});

test('crowd links: agents beside their line take another way when their link is switched off, and take off only near it', () => {
  for (let closing = 30; closing <= 120; closing += 10) {
    const { navMesh } = builds[0].bake({
      positions: Float32Array.of(0, 3, 0, 0, 3, 40, 20, 3, 40, 20, 3, 0, 18, 0, 0, 18, 0, 40, 40, 0, 40, 40, 0, 0),
      indices: Uint32Array.of(0, 1, 2, 0, 2, 3, 4, 5, 6, 4, 6, 7),
    }, { cellSize: 0.2, agentRadius: 0.4 });
    const widthOf = (ref) => navMesh.segmentLink(ref).width;
    for (const [low, high, cost] of [[4, 16, 1], [30, 30.5, 2]]) {
      navMesh.addSegmentLink({ kind: 'drop', bidirectional: false, start: [[19.4, 3, high], [19.4, 3, low]], end: [[21, 0, high], [21, 0, low]], cost });
    }
    const crowd = navMesh.createCrowd();
    const agents = Array.from({ length: 24 }, (_, i) => crowd.addAgent([12 + (i % 4), 3, 17 + Math.floor(i / 4)], { radius: 0.4 }));
    for (const agent of agents) crowd.setTarget(agent, [30, 0, 9]);
    let farthest = 0;
    const before = agents.map((agent) => [...crowd.position(agent)]);
    for (let step = 0; step < 25 * 60; step++) {
      if (step === closing) navMesh.setSegmentLinkEnabled(Array.from(navMesh.segmentLinks().refs).find((ref) => widthOf(ref) > 5), false);
      const walked = agents.map((agent) => crowd.state(agent) !== 'on-connection');
      crowd.step(STEP);
      agents.forEach((agent, i) => {
        if (walked[i] && crowd.state(agent) === 'on-connection') farthest = Math.max(farthest, 19.4 - before[i][0]);
        before[i] = [...crowd.position(agent)];
      });
    }
    assert.deepEqual(agents.filter((agent) => crowd.position(agent)[1] > 2.5), [], `switched off after ${closing} steps`);
    assert.ok(farthest < 1.5, `took off ${farthest} before the ledge`);
    crowd.free();
    navMesh.free();
  }
});

test('crowd links: held up, agents land only where their way goes on, not behind a wall below the same ledge', () => {
  const { navMesh } = builds[0].bake({
    positions: Float32Array.of(0, 3, 0, 0, 3, 20, 20, 3, 20, 20, 3, 0, 18, 0, 0, 18, 0, 9.5, 40, 0, 9.5, 40, 0, 0, 18, 0, 10.5, 18, 0, 20, 40, 0, 20, 40, 0, 10.5),
    indices: Uint32Array.of(0, 1, 2, 0, 2, 3, 4, 5, 6, 4, 6, 7, 8, 9, 10, 8, 10, 11),
  }, { cellSize: 0.2, agentRadius: 0.4 });
  navMesh.addSegmentLink({ kind: 'drop', start: [[19.4, 3, 18], [19.4, 3, 2]], end: [[21, 0, 18], [21, 0, 2]] });
  navMesh.addSegmentLink({ kind: 'climb', bidirectional: false, start: [[30, 0, 12], [30, 0, 18]], end: [[10, 3, 12], [10, 3, 18]] }); // back from the other yard
  const crowd = navMesh.createCrowd();
  const starts = Array.from({ length: 40 }, (_, i) => [14 + Math.floor(i / 8), 3, 11 + (i % 8)]);
  const agents = crowd.addAgents(/** @type {any} */ (starts), { radius: 0.4 });
  crowd.setTarget(agents, /** @type {any} */ (starts.map((_, i) => [24 + 2 * Math.floor(i / 8), 0, 1 + (i % 8)])));
  let astray = 0;
  runUntil(crowd, () => Array.from(agents).every((agent) => ['arrived', 'crowded'].includes(crowd.state(agent))), () => {
    for (const agent of agents) if (crowd.position(agent)[1] < 1 && crowd.position(agent)[2] > 10) astray++;
  });
  assert.equal(astray, 0);
  navMesh.free();
});

test('crowd links: who lands beside its way walks on there, and does not climb back to drop again', () => {
  const { navMesh } = builds[0].bake({ // one edge of 35 m divides the ground: measured by its midpoint, climbing back seems shorter
    positions: Float32Array.of(0, 2, 0, 0, 2, 80, 6, 2, 80, 6, 2, 0, 4, 0, 0, 4, 0, 80, 40, 0, 80, 40, 0, 0),
    indices: Uint32Array.of(0, 1, 2, 0, 2, 3, 4, 5, 6, 4, 6, 7),
  }, { cellSize: 0.2, agentRadius: 0.4, tileSize: 200 });
  navMesh.addSegmentLink({ kind: 'drop', start: [[5.4, 2, 60], [5.4, 2, 20]], end: [[7, 0, 60], [7, 0, 20]] });
  navMesh.addSegmentLink({ kind: 'climb', bidirectional: false, start: [[7, 0, 41], [7, 0, 52]], end: [[5.4, 2, 41], [5.4, 2, 52]] });
  const crowd = navMesh.createCrowd();
  const starts = Array.from({ length: 32 }, (_, i) => [1 + (i % 4), 2, 42 + Math.floor(i / 4)]);
  const agents = crowd.addAgents(/** @type {any} */ (starts), { radius: 0.4 });
  crowd.setTarget(agents, /** @type {any} */ (starts.map((_, i) => [9 + (i % 4), 0, 38 - Math.floor(i / 4)])));
  let climbs = 0;
  crowd.onConnection = ({ kind, linkKind }) => { if (kind === 'start' && linkKind === 'climb') climbs++; };
  runUntil(crowd, () => Array.from(agents).every((agent) => ['arrived', 'crowded'].includes(crowd.state(agent))));
  assert.equal(climbs, 0);
  navMesh.free();
});
