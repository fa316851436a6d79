import { describe, expect, test } from 'vitest';
import { defaultLimits, Gate, type Place } from './limit-attempts.ts';

const limits = {
  total: 16,
  per_merchant: 12,
  per_destination: 10,
  receiver_start: 4,
  receiver_max: 8,
  slow_ms: 2_000,
};

function enter(gate: Gate, merchant: string, destination: string, times: number): Place[] {
  return Array.from({ length: times }, () => gate.enter(merchant, destination));
}

/** One attempt after the other, each held for so long. */
function attempts(gate: Gate, merchant: string, destination: string, held_ms: number, times: number): void {
  for (let i = 0; i < times; i++) gate.enter(merchant, destination)(held_ms);
}

describe('R-281 the gate', () => {
  test('bounds a receiver, a destination, a merchant and the process', () => {
    const gate = new Gate({ ...limits, receiver_start: 8 });
    expect(gate.freeIn('a', 'x')).toBe(8);
    enter(gate, 'a', 'x', 8);
    expect(gate.freeIn('a', 'x')).toBe(0);
    expect(gate.freeIn('b', 'x')).toBe(2);
    expect(gate.freeIn('a', 'y')).toBe(4);
    enter(gate, 'a', 'y', 4);
    expect(gate.freeFor('a')).toBe(0);
    expect(gate.freeIn('a', 'z')).toBe(0);
    expect(gate.freeFor('b')).toBe(4);
    enter(gate, 'b', 'z', 4);
    expect(gate.freeFor('c')).toBe(0);
    expect(gate.in_flight).toBe(16);
  });

  test('a place given back is free again', () => {
    const gate = new Gate(limits);
    const places = enter(gate, 'a', 'x', 4);
    expect(gate.freeIn('a', 'x')).toBe(0);
    for (const leave of places) leave(null);
    expect(gate.freeIn('a', 'x')).toBe(4);
    expect(gate.in_flight).toBe(0);
  });

  test('the limit of a receiver rises with quick answers up to its bound', () => {
    const gate = new Gate(limits);
    attempts(gate, 'a', 'x', 10, 2);
    expect(gate.freeIn('a', 'x')).toBe(6);
    attempts(gate, 'a', 'x', 10, 20);
    expect(gate.freeIn('a', 'x')).toBe(8);
  });

  test('the limit of a receiver falls with slow answers, never below two, and recovers', () => {
    const gate = new Gate(limits);
    attempts(gate, 'a', 'x', 8_000, 5);
    expect(gate.freeIn('a', 'x')).toBe(2);
    attempts(gate, 'a', 'x', 10, 3);
    expect(gate.freeIn('a', 'x')).toBe(5);
  });

  test('a slow receiver of one merchant does not limit another merchant at the same destination', () => {
    const gate = new Gate(limits);
    attempts(gate, 'a', 'x', 8_000, 5);
    expect(gate.freeIn('b', 'x')).toBe(4);
  });

  test('slow receivers together hold at most half of a merchant and half of the process', () => {
    const gate = new Gate(limits);
    const slow = ['p', 'q', 'r', 's', 't'];
    for (const destination of slow) attempts(gate, 'a', destination, 8_000, 1);
    for (const destination of slow.slice(0, 3)) enter(gate, 'a', destination, 2);
    // Six of twelve: no more slow ones, but the merchant's other destinations have room.
    expect(gate.freeIn('a', 's')).toBe(0);
    expect(gate.freeIn('a', 'healthy')).toBe(4);
    attempts(gate, 'b', 'u', 8_000, 1);
    enter(gate, 'b', 'u', 2);
    attempts(gate, 'c', 'v', 8_000, 1);
    // Eight of sixteen.
    expect(gate.freeIn('c', 'v')).toBe(0);
    expect(gate.freeIn('c', 'healthy')).toBe(4);
  });
});

test('D-762 after an attempt to each of 500 receivers that hang, half of the process is free again', () => {
  const gate = new Gate({ per_destination: defaultLimits.total });
  let merchants = Array.from({ length: 500 }, (_, i) => `merchant-${i}`);
  let rounds = 0;
  for (let busy = Infinity; busy > defaultLimits.total / 2; rounds++) {
    const started = merchants.map((merchant) => {
      const places = enter(gate, merchant, 'host', Math.max(0, gate.freeIn(merchant, 'host')));
      return { merchant, places };
    });
    busy = gate.in_flight;
    for (const { places } of started) for (const leave of places) leave(8_000);
    // Those that had no place are first in the next round.
    const [served, others] = [
      started.filter(({ places }) => places.length > 0),
      started.filter(({ places }) => places.length === 0),
    ];
    merchants = [...others, ...served].map(({ merchant }) => merchant);
  }
  expect(rounds).toBeLessThanOrEqual(4);
});

test('D-1186 merchants with ever new receivers that hang leave places to the others', () => {
  const gate = new Gate();
  const merchants = ['a', 'b', 'c', 'd'];
  for (let i = 0; i < defaultLimits.total; i++) {
    for (const merchant of merchants)
      enter(gate, merchant, `${i}.example`, gate.freeIn(merchant, `${i}.example`));
  }
  for (let i = 0; i < 10; i++) {
    expect(gate.freeIn(`other-${i}`, 'shop.example')).toBe(2);
    enter(gate, `other-${i}`, 'shop.example', 2);
  }
});
