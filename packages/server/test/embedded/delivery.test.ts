import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { migrate } from '../../src/base/pg/index.ts';
import { openEmbedded } from '../../src/embedded/open-embedded.ts';
import { boxKey, openOutbox } from '../support/notifications/outbox.ts';
import { freePort } from '../support/servers/ports.ts';
import { openReceiver } from '../support/servers/receiver.ts';
import { type SourceProcess, startPaydesk } from '../support/run/source-process.ts';
import { testAuthority } from '../support/servers/tls.ts';
import { dataDir } from './helpers.ts';

/** How long an attempt waits for its answer, less what it took to begin it. */
const attempt_ms = 7_000;

/** A worker as it runs in production, ready to work. */
async function startWorker(database_url: string, ca_file: string): Promise<SourceProcess> {
  const port = await freePort();
  const worker = startPaydesk(['serve', '--role', 'worker', '--no-migrate'], {
    env: {
      DATABASE_URL: database_url,
      PORT: String(port),
      PAYDESK_SECRET_KEY: boxKey.toString('base64'),
      PAYDESK_NOTIFY_ALLOW_CIDRS: '127.0.0.1/32',
      PAYDESK_NOTIFY_CA_FILE: ca_file,
    },
  });
  onTestFinished(() => {
    worker.child.kill('SIGKILL');
  });
  const ready = () =>
    fetch(`http://127.0.0.1:${port}/readyz`).then(
      ({ status }) => status,
      () => 0,
    );
  await expect.poll(ready).toBe(200);
  return worker;
}

test('R-278 R-279 two worker processes send each event once, although the database restarts during delivery', async () => {
  const data_dir = await dataDir();
  const options = { data_dir, purpose: 'the tests', durable: false };
  let embedded = await openEmbedded(options);
  onTestFinished(() => embedded.stop());
  await migrate(embedded.url);
  const authority = await testAuthority();
  const ca_file = join(data_dir, 'ca.pem');
  await writeFile(ca_file, authority.cert);
  const receiver = await openReceiver(authority);
  onTestFinished(() => receiver.close());
  const outbox = await openOutbox(authority.cert, {
    database: { url: embedded.url, service_url: embedded.service_url, drop: () => Promise.resolve() },
  });
  onTestFinished(() => outbox.close());

  let answer!: () => void;
  const asked = new Promise<void>((resolve) => (answer = resolve));
  let first_ms = Infinity;
  // A receiver that a worker does not know gets two attempts at once (D-762).
  const answeredBefore = 20;
  let arrived = 0;
  receiver.answerWith(async () => {
    if (++arrived <= answeredBefore) return { status: 200 };
    first_ms = Math.min(first_ms, performance.now());
    await asked;
    return { status: 200 };
  });
  const workers = await Promise.all([startWorker(embedded.url, ca_file), startWorker(embedded.url, ca_file)]);
  const merchant_id = await outbox.merchant();
  const events = await Promise.all(
    Array.from({ length: 60 }, () => outbox.store({ merchant_id, url: receiver.url() })),
  );
  // Some have been delivered, and others wait for their answers.
  await receiver.until(answeredBefore + 4);

  const { url } = embedded;
  await embedded.stop();
  embedded = await openEmbedded(options);
  expect(embedded.url).toBe(url);
  answer();
  // Where the restart took longer than an attempt may, as on a very busy machine, attempts have failed and are made again.
  const inTime = performance.now() - first_ms < attempt_ms;

  await receiver.until(events.length);
  const statuses = async () =>
    (await Promise.all(events.map((event) => outbox.row(event)))).map((row) => row.delivery_status);
  // A second attempt comes a minute after the first.
  await expect.poll(statuses, { timeout: 200_000 }).toEqual(events.map(() => 'delivered'));
  const sent = receiver.received.map(({ headers }) => headers['x-service-event-id']).sort();
  expect(inTime ? sent : [...new Set(sent)]).toEqual(events.map(({ event_id }) => event_id).sort());
  const attempts = await Promise.all(events.map(async (event) => (await outbox.row(event)).attempts));
  if (inTime) expect(attempts).toEqual(events.map(() => 1));
  for (const worker of workers) expect(await worker.kill('SIGTERM')).toBe(0);
});
