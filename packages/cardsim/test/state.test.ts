import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startCardsim } from '../src/index.ts';
import { clientOf, controlOf, secret_key, sessionParams, startBench, webhook_secret } from './helpers.ts';

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'cardsim-'));
  onTestFinished(() => {
    rmSync(folder, { recursive: true });
  });
  return folder;
}

test('a restart continues with sessions, payments, keys, targets, held events and the clock', async () => {
  const stateFile = join(temporaryFolder(), 'new', 'state.json');
  const bench = await startBench({ stateFile });
  const key = { idempotencyKey: 'att_1' };
  const metadata = { $bigint: '5', __proto__x: 'y', '0': 'zero' };
  const session = await bench.stripe.checkout.sessions.create(sessionParams({ metadata }), key);
  expect(session.metadata).toEqual(metadata);
  await bench.control('PUT', '/clock', { advance_seconds: 60 });
  await bench.control('POST', '/webhooks/hold', { hold: true });
  await bench.control('POST', `/sessions/${session.id}/pay`, { webhook: 'early' });
  await bench.sim.close();
  expect(readFileSync(stateFile, 'utf8')).not.toContain(secret_key);
  expect(statSync(stateFile).mode & 0o077).toBe(0);
  expect(readdirSync(join(stateFile, '..'))).toEqual(['state.json']);

  const again = await startCardsim({ stateFile, now: () => bench.time.ms });
  onTestFinished(() => again.close());
  const stripe = clientOf(again);
  const control = controlOf(again);
  expect(await stripe.checkout.sessions.retrieve(session.id)).toMatchObject({ status: 'complete', metadata });
  const replayed = await stripe.checkout.sessions.create(sessionParams({ metadata }), key);
  expect(replayed.id).toBe(session.id);
  expect((await control('GET', '/clock')).body.offset_seconds).toBe(60);
  expect((await control('GET', '/webhooks')).body.items).toEqual([
    { url: bench.receiver.url, account: null },
  ]);
  expect((await control('POST', '/webhooks/hold', { hold: false })).body.sent).toBe(1);
  expect(bench.receiver.received.map(({ event }) => event.type)).toEqual(['checkout.session.completed']);
  const refunded = await stripe.refunds.create({
    payment_intent: (await stripe.checkout.sessions.retrieve(session.id)).payment_intent as string,
  });
  expect(refunded.amount).toBe(1000);
});

test('what was answered is on the disk', async () => {
  const stateFile = join(temporaryFolder(), 'state.json');
  const { stripe, control } = await startBench({ stateFile });
  const calls = Array.from({ length: 20 }, () => stripe.checkout.sessions.create(sessionParams()));
  const ids = (await Promise.all(calls)).map(({ id }) => id);
  const saved = readFileSync(stateFile, 'utf8');
  for (const id of ids) expect(saved).toContain(id);
  await control('POST', `/sessions/${ids[0] ?? ''}/pay`, { webhook: 'none' });
  expect(readFileSync(stateFile, 'utf8')).toContain('checkout.session.completed');
});

test.each(['{', '{}', '[]', '{"format":"paydesk-cardsim-state/1"}'])(
  'the file %s is refused in one sentence',
  async (text) => {
    const stateFile = join(temporaryFolder(), 'state.json');
    writeFileSync(stateFile, text);
    await expect(startCardsim({ stateFile })).rejects.toThrow(
      `${stateFile} is not a saved state of this simulator`,
    );
    expect(readFileSync(stateFile, 'utf8')).toBe(text);
  },
);

test('a webhook that makes no sense is refused at the start', async () => {
  const webhooks = [{ url: 'nowhere', secret: webhook_secret }];
  await expect(startCardsim({ webhooks })).rejects.toThrow('nowhere is not an http or https address');
});
