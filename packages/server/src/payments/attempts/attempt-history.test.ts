import { expect, test } from 'vitest';
import { later, minutes } from '../../base/time/clock.ts';
import { type HistoryNote, withNote } from './attempt-history.ts';

const t0 = new Date('2026-01-02T03:04:05.000Z');
const at = (n: number): Date => later(t0, minutes(n));
const told = (seen: readonly string[]): HistoryNote[] =>
  seen.reduce<HistoryNote[]>(
    (notes, words, n) => withNote(notes, { asked: 'look up', seen: words }, at(n)),
    [],
  );

test('R-378 every question and its answer are kept in their order', () => {
  expect(told(['unclear: timeout', 'open'])).toEqual([
    { at: at(0).toISOString(), asked: 'look up', seen: 'unclear: timeout' },
    { at: at(1).toISOString(), asked: 'look up', seen: 'open' },
  ]);
});

test('R-378 what repeats itself is counted, so that two days of asking displace nothing', () => {
  const notes = told(['open', ...Array.from({ length: 107 }, () => 'closed')]);
  expect(notes).toHaveLength(2);
  expect(notes[1]).toMatchObject({ at: at(1).toISOString(), times: 107, last_at: at(107).toISOString() });
  expect(withNote(notes, { asked: 'create', seen: 'closed' }, at(200))).toHaveLength(3);
});

test('R-378 of many notes the latest twenty are kept', () => {
  const notes = told(Array.from({ length: 25 }, (_, n) => `answer ${n}`));
  expect(notes.map(({ seen }) => seen)).toEqual(Array.from({ length: 20 }, (_, n) => `answer ${n + 5}`));
});
