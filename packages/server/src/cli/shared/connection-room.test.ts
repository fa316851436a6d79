import { expect, test } from 'vitest';
import { connectionWarning } from './connection-room.ts';

test.each([
  { processes: 1, db_pool: 23, allowed: 97, used: 0, warns: false },
  { processes: 4, db_pool: 23, allowed: 97, used: 5, warns: false },
  { processes: 4, db_pool: 23, allowed: 97, used: 6, warns: true },
  { processes: 9, db_pool: 23, allowed: 97, used: 0, warns: true },
  { processes: 9, db_pool: 10, allowed: 97, used: 7, warns: false },
])(
  'D-432 $processes processes with $db_pool connections each, of $allowed with $used in use: $warns',
  ({ processes, db_pool, allowed, used, warns }) => {
    const words = connectionWarning({ processes, db_pool }, { whose: 'PostgreSQL', allowed, used });
    expect(words !== null).toBe(warns);
    for (const figure of warns ? [processes, db_pool, processes * db_pool, allowed, used] : [])
      expect(words).toMatch(new RegExp(`\\b${figure}\\b`));
  },
);
