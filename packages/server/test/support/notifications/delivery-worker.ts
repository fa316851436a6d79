import { readFileSync } from 'node:fs';
import { OffsetClock } from '../../../src/base/time/clock.ts';
import { openDatabase } from '../../../src/base/pg/index.ts';
import { systemIds } from '../../../src/base/ids.ts';
import { createLog } from '../../../src/base/log.ts';
import { secretBox } from '../../../src/base/secret-box.ts';
import { createDeliverer } from '../../../src/notifications/delivery/delivery-loop.ts';

/** A worker that does nothing but deliver, for tests that kill it: database address, key in base64, CA file. */
const [url = '', key = '', ca = ''] = process.argv.slice(2);

createDeliverer({
  db: openDatabase({ url }),
  clock: new OffsetClock(),
  ids: systemIds(),
  box: secretBox([Buffer.from(key, 'base64')]),
  log: createLog('warn', process.stderr),
  allow_cidrs: ['127.0.0.0/8'],
  ca: readFileSync(ca, 'utf8'),
}).start();
