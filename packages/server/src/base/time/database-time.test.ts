import { describe, expect, test } from 'vitest';
import { OffsetClock } from './clock.ts';
import { DatabaseTime } from './database-time.ts';

const epoch_ms = Date.parse('2026-01-02T03:00:00Z');

/** A machine whose wall clock is off, and a database whose clock is right unless a test moves it. */
function world({ wall_off_ms = 0 } = {}) {
  const state = { at_ms: 5_000, wall_off_ms, database_off_ms: 0 };
  const database = (): number => epoch_ms + state.at_ms + state.database_off_ms;
  const time = new DatabaseTime({
    wall: () => epoch_ms + state.at_ms + state.wall_off_ms,
    monotonic: () => state.at_ms,
  });
  const pass = (ms: number): void => {
    state.at_ms += ms;
  };
  /** Asks once: the question and its answer take so long. */
  const ask = (there_ms: number, back_ms: number): number => {
    const sent_ms = state.at_ms;
    pass(there_ms);
    const read = new Date(database());
    pass(back_ms);
    return time.take({ sent_ms, received_ms: state.at_ms, database: read });
  };
  const wrong_ms = (): number => time.now_ms() - database();
  return { state, time, pass, ask, wrong_ms };
}

describe('the database’s time in a process', () => {
  test('D-024 is the local clock until it is measured', () => {
    const { time } = world({ wall_off_ms: -90_000 });
    expect(time.now_ms()).toBe(epoch_ms + 5_000 - 90_000);
    expect(time.offset_ms()).toBe(0);
  });

  test.each([-90_000, 90_000])('D-024 is right on a machine whose clock is off by %i ms', (wall_off_ms) => {
    const { time, ask, wrong_ms } = world({ wall_off_ms });
    ask(1, 1);
    expect(Math.abs(wrong_ms())).toBeLessThanOrEqual(2);
    expect(Math.abs(time.offset_ms() + wall_off_ms)).toBeLessThanOrEqual(2);
    expect(Math.abs(new OffsetClock(time).real().getTime() - epoch_ms - 5_002)).toBeLessThanOrEqual(2);
  });

  test('D-024 half of the first round trip is accounted for', () => {
    const { ask, wrong_ms } = world();
    ask(400, 400);
    expect(Math.abs(wrong_ms())).toBeLessThanOrEqual(2);
  });

  test('D-024 a jump of the local clock does not move it, and is shown at once', () => {
    const { state, time, ask, wrong_ms } = world();
    ask(1, 1);
    state.wall_off_ms = 90_000;
    expect(Math.abs(wrong_ms())).toBeLessThanOrEqual(2);
    expect(Math.round(time.offset_ms() / 1_000)).toBe(-90);
  });

  test('D-024 a process that is stopped while it asks keeps the right time', () => {
    const { ask, pass, wrong_ms } = world();
    ask(1, 1);
    pass(5_000);
    expect(ask(0, 60_000)).toBe(0);
    expect(ask(60_000, 0)).toBe(0);
    expect(Math.abs(wrong_ms())).toBeLessThanOrEqual(2);
  });
});

describe('a correction of the time', () => {
  test('D-024 forwards is made at once', () => {
    const { state, ask, wrong_ms } = world();
    ask(1, 1);
    state.database_off_ms = 60_000;
    expect(Math.round(ask(1, 1) / 1_000)).toBe(60);
    expect(Math.abs(wrong_ms())).toBeLessThanOrEqual(3);
  });

  test('D-024 backwards by up to a second is spread, so that the time never goes back', () => {
    const { state, time, ask, pass, wrong_ms } = world();
    ask(1, 1);
    state.database_off_ms = -800;
    let before = time.now_ms();
    ask(1, 1);
    for (let i = 0; i < 200; i++) {
      expect(time.now_ms()).toBeGreaterThanOrEqual(before);
      before = time.now_ms();
      pass(10);
      if (i % 50 === 0) ask(1, 1);
    }
    expect(Math.abs(wrong_ms())).toBeLessThanOrEqual(5);
  });

  test('D-024 backwards by more is made at once, because all processes must agree on leases', () => {
    const { state, ask, wrong_ms } = world();
    ask(1, 1);
    state.database_off_ms = -45_000;
    expect(Math.round(ask(1, 1) / 1_000)).toBe(-45);
    expect(Math.abs(wrong_ms())).toBeLessThanOrEqual(3);
  });
});
