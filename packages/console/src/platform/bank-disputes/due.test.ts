import { expect, test } from 'vitest';
import { urgencyOf } from './due.tsx';

test.each([
  ['2026-01-01T00:00:00Z', 'over'],
  ['2026-01-03T00:00:00Z', 'soon'],
  ['2026-01-08T00:00:00Z', 'near'],
  ['2026-01-08T00:00:01Z', 'far'],
])('D-342 on 1 January a deadline of %s is %s', (due_by, urgency) => {
  expect(urgencyOf(new Date(due_by), new Date('2026-01-01T00:00:00Z'))).toBe(urgency);
});
