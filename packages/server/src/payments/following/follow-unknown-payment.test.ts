import { expect, test } from 'vitest';
import { sampleChannel, sampleSession } from '../../../test/support/desks/samples.ts';
import type { CardPayment } from '../../channels/card/card-sessions.ts';
import type { CardSession, Lookup } from '../../channels/card/index.ts';
import type { PaymentDeps } from '../engine/index.ts';
import { followUnknownPayment } from './follow-unknown-payment.ts';

const now = new Date('2026-01-02T03:04:05.000Z');
const own = sampleChannel({ merchant_id: '01890a5d-ac96-774b-bcce-b302099a8057' });
const platform = sampleChannel({ merchant_id: null });

const paidAgo = (minutes: number, state: CardPayment['state'] = 'succeeded'): Lookup<CardPayment> => ({
  kind: 'found',
  value: {
    state,
    paid_at: now.getTime() / 1_000 - 60 * minutes,
    paid_with: null,
    declined: null,
  },
});
const madeBy = (of: Partial<CardSession>): Lookup<CardSession> => ({
  kind: 'found',
  value: sampleSession({ reference: null, order_no: null, merchant_id: null, ...of }),
});
const none = { kind: 'none' } as const;
const failed = { kind: 'failed', reason: 'timeout' } as const;

test.each([
  ['another sale of the merchant', own, madeBy({}), none, 'of no session of ours'],
  ['a sale with a number of its own', own, madeBy({ order_no: 'x' }), none, 'of no session of ours'],
  [
    'a sale that names another merchant',
    own,
    madeBy({ order_no: 'x', merchant_id: 'y' }),
    none,
    'of no session of ours',
  ],
  ['a session of ours', own, madeBy({ reference: 'pa_1' }), none, 'no such payment'],
  [
    'a session of ours, that was declined',
    platform,
    madeBy({}),
    paidAgo(1, 'failed'),
    'of a payment that is not made',
  ],
  [
    'a session of ours, that is not made yet',
    own,
    madeBy({ reference: 'pa_1' }),
    paidAgo(1, 'pending'),
    'of a payment that is not made',
  ],
  ['a session of ours, that is made', platform, madeBy({}), paidAgo(1), 'no such payment'],
  ['any session of the platform’s account', platform, madeBy({}), none, 'no such payment'],
  ['no session, for long', platform, none, paidAgo(11), 'of no session of ours'],
  ['no session yet', own, none, paidAgo(9), 'no such payment'],
  ['no session, and no payment', own, none, none, 'no such payment'],
  ['a provider that cannot be asked', own, failed, none, 'look-up failed: timeout'],
])('D-803 D-1163 news of a payment of %s', async (_, channel, session, payment, outcome) => {
  const answers = {
    sessionOfPayment: () => Promise.resolve(session),
    payment: () => Promise.resolve(payment),
  };
  const deps = { cards: answers, clock: { now: () => now, real: () => now } } as unknown as PaymentDeps;
  const again = !outcome.startsWith('of ');
  expect(await followUnknownPayment(deps, channel, 'pi_1')).toMatchObject({ outcome, again });
});
