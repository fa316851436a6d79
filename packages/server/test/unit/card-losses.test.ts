import { type Cardsim, startCardsim } from '@paydesk/cardsim';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { sealed } from '../../src/base/sealed-columns.ts';
import { secretBox } from '../../src/base/secret-box.ts';
import { type CardProvider, createCardProvider } from '../../src/channels/card/card-provider.ts';
import type { Channel } from '../../src/channels/channel.ts';
import { order_no, sampleChannel } from '../support/desks/samples.ts';

let cardsim: Cardsim;
let channel: Channel;
let payment_id: string;
let session_id: string;
const box = secretBox([Buffer.alloc(32, 7)]);
const cards: CardProvider = createCardProvider(box);

const sim = async (path: string, body: object): Promise<Record<string, unknown>> => {
  const answer = await fetch(`${cardsim.url}/_sim${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return (await answer.json()) as Record<string, unknown>;
};

beforeAll(async () => {
  cardsim = await startCardsim();
  const { payment_no } = sampleChannel();
  const secret_key_box = box.seal('sk_live_losses', sealed.channelKey.row({ payment_no }));
  channel = sampleChannel({ api_base: cardsim.url, secret_key_box });
});

afterAll(() => cardsim.close());

let seq = 0;
const key = (): string => `ref_${(++seq).toString()}`;

beforeEach(async () => {
  const created = await cards.createSession(channel, {
    attempt_id: key(),
    order_no,
    merchant_id: 'm',
    title: 'Tea',
    amount: 1_060n,
    currency: 'USD',
    success_url: 'https://pay.example/back',
    cancel_url: 'https://pay.example/back',
    expires_at: Math.ceil(Date.now() / 1_000) + 3_600,
  });
  if (created.kind !== 'created') throw new Error(created.kind);
  session_id = created.session.id;
  await sim(`/sessions/${session_id}/pay`, {});
  const session = await cards.session(channel, session_id);
  payment_id = (session.kind === 'found' && session.value.payment_id) || '';
});

const refund = (idempotency_key: string, amount = 1_060n) =>
  cards.refund(channel, { payment_id, amount, currency: 'USD', idempotency_key, metadata: { order_no } });

describe('the card provider gives money back', () => {
  test('D-077 a refund is created, once for its key, and can be looked up', async () => {
    const name = key();
    const first = await refund(name);
    expect(first).toMatchObject({
      kind: 'created',
      refund: { status: 'succeeded', amount: 1_060n, currency: 'USD', payment_id },
    });
    expect(await refund(name)).toEqual(first);
    if (first.kind !== 'created') return;
    const found = { kind: 'found', value: first.refund };
    expect(await cards.refundById(channel, first.refund.id)).toEqual(found);
    expect(await cards.refundsOf(channel, payment_id)).toEqual({ kind: 'found', value: [first.refund] });
  });

  test('D-091 a refusal is definite; an answer that did not come is not', async () => {
    await refund(key());
    expect(await refund(key())).toMatchObject({ kind: 'refused' });
    for (const fault of [{ mode: 'status', status: 500 }, { mode: 'truncate' }, { mode: 'reset_after' }]) {
      await sim('/faults', { endpoint: 'refunds.create', ...fault });
      expect(await refund(key()), fault.mode).toMatchObject({ kind: 'unclear' });
    }
  });

  test('D-076 a pending refund fails or succeeds later; refunds in part are all seen', async () => {
    await sim('/faults', { endpoint: 'refunds.create', mode: 'pending' });
    const pending = await refund(key(), 60n);
    expect(pending).toMatchObject({ kind: 'created', refund: { status: 'pending' } });
    if (pending.kind !== 'created') return;
    await sim(`/refunds/${pending.refund.id}/settle`, { outcome: 'failed' });
    expect(await cards.refundById(channel, pending.refund.id)).toMatchObject({ value: { status: 'failed' } });
    await refund(key(), 1_000n);
    expect(await cards.refundsOf(channel, payment_id)).toMatchObject({
      value: [
        { status: 'succeeded', amount: 1_000n },
        { status: 'failed', amount: 60n },
      ],
    });
  });

  test('D-078 a dispute is open until the bank decides it', async () => {
    const { id } = await sim(`/sessions/${session_id}/dispute`, {});
    const open = { id, status: 'open', amount: 1_060n, currency: 'USD', payment_id };
    expect(await cards.dispute(channel, String(id))).toMatchObject({ kind: 'found', value: open });
    expect(await cards.disputesOf(channel, payment_id)).toEqual({ kind: 'found', value: [open] });
    expect(await cards.disputesOf(channel, 'pi_unknown')).toMatchObject({ value: [] });
    await sim(`/sessions/${session_id}/dispute`, { outcome: 'lost' });
    expect(await cards.dispute(channel, String(id))).toMatchObject({
      kind: 'found',
      value: { ...open, status: 'lost' },
    });
    expect(await cards.dispute(channel, 'du_unknown')).toEqual({ kind: 'none' });
  });
});
