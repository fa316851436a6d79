/**
 * A run of the archive in a process of its own, which is killed as by `kill -9` at the step that its arguments name:
 * DATABASE_URL, folder, step.
 */
import { systemIds } from '../../../src/base/ids.ts';
import { openDatabase } from '../../../src/base/pg/index.ts';
import { days, later, OffsetClock } from '../../../src/base/time/clock.ts';
import { archiveOrders } from '../../../src/cli/books/archive.ts';
import { publicKeyPem } from '../../../src/seals/index.ts';

const [url = '', folder = '', last = ''] = process.argv.slice(2);
const db = openDatabase({ url, max: 1 });
const soon = later(new Date(), days(1));
const run = {
  ...{ db, clock: new OffsetClock(), ids: systemIds(), pem: (await publicKeyPem(db, null)) ?? '' },
  ...{ before: soon, settled_at: soon, file_size: 2 },
};
await archiveOrders(
  { ...run, step: (name) => void (name === last && process.kill(process.pid, 'SIGKILL')) },
  folder,
);
console.log('whole');
await db.close();
