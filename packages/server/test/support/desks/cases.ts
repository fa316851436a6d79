import { expect } from 'vitest';
import { sql } from '../../../src/base/pg/index.ts';
import { merchantIdOf, systemIds } from '../../../src/base/ids.ts';
import { OffsetClock } from '../../../src/base/time/clock.ts';
import type { CardDispute, CardRefund } from '../../../src/channels/card/index.ts';
import type { Channel } from '../../../src/channels/index.ts';
import { collectionKind } from '../../../src/collection/orders/payable-order.ts';
import { verifyLedger } from '../../../src/ledger/verification/verify.ts';
import type { PaymentDeps } from '../../../src/payments/engine/index.ts';
import type { LossDesk, Shop } from './losses.ts';
import { checkoutOf, type Order } from './platform.ts';
import { type Answer, eventually, type Json, request } from './service.ts';
import { beside, linesOn } from './wallets.ts';

/** A case as the administration answers it, as far as tests read it. */
export interface Case extends Json {
  case_id: string;
  kind: string;
  state: string;
  attempt_id?: string;
  session_id?: string;
  provider_payment_id?: string;
  detail: { why: string; last?: string } & Json;
  refund: { status: string; amount_minor: string; provider_refund_id: string | null } | null;
}

export interface Attempt extends Json {
  attempt_id: string;
  state: string;
  detail: { history: { asked: string | null; seen: string; times?: number }[] };
}

export interface Detail {
  order: Json;
  attempts: Attempt[];
  cases: Case[];
  postings: (Json & { posting: string })[];
  money: { totals: (Json & { total: string; amount: string })[] };
}

export interface Session extends Json {
  id: string;
  payment_intent: string | null;
  metadata: { order_no: string };
}

export const detailOf = ({ service }: LossDesk, { order_no }: Order): Promise<Detail> =>
  service.admin('GET', `/collection-orders/${order_no}`);

/** The only case of an order, once it is there, and as it has to be. */
export async function caseOf(
  desk: LossDesk,
  order: Order,
  done: (found: Case) => boolean = () => true,
): Promise<Case> {
  const { cases } = await eventually(
    () => detailOf(desk, order),
    ({ cases: [first] }) => first !== undefined && done(first),
  );
  expect(cases).toHaveLength(1);
  return cases[0] as Case;
}

/** Decides on a case and returns the answer. */
export const resolve = (
  desk: LossDesk,
  { case_id }: Case,
  action: unknown,
  reason: unknown = 'looked into it',
): Promise<Answer<Case & { error?: string; field?: string; error_description?: string }>> =>
  desk.send(`/cases/${case_id}/resolution`, { action, reason });

/** The answer to an action that a case does not allow now. */
export const conflict = { status: 409, body: { error: 'payment_conflict', field: 'action' } };

/**
 * Works on the books beside the service, with a provider that says what its simulator cannot.
 *
 * @param said with `later_ms`, by which the test has moved the clock of the service
 */
export const withProvider = <T>(
  { service }: LossDesk,
  payment_no: string,
  said: { refunds?: readonly CardRefund[]; disputes?: readonly CardDispute[]; later_ms?: number },
  work: (deps: PaymentDeps, channel: Channel) => Promise<T>,
): Promise<T> => {
  const ids = systemIds();
  const collection = collectionKind(ids);
  const found = (value: readonly unknown[] = []) => Promise.resolve({ kind: 'found', value });
  const news = {
    reason: 'general',
    due_by: null,
    submissions: 0,
    opened_at: new Date(),
  };
  const cards = {
    refundsOf: () => found(said.refunds),
    disputesOf: () => found(said.disputes),
    dispute: (_: Channel, id: string) => {
      const dispute = said.disputes?.find((one) => one.id === id);
      const state = dispute?.status === 'open' ? 'needs_response' : dispute?.status;
      return Promise.resolve({ kind: 'found', value: { ...dispute, news: { ...news, state } } });
    },
  };
  const channels = { find: () => Promise.resolve({ payment_no }) };
  const clock = new OffsetClock();
  clock.setOffset(said.later_ms ?? 0);
  return beside(service, (db) => {
    const deps = { db, ids, cards, channels, clock, kindOf: () => collection };
    return work(deps as unknown as PaymentDeps, { payment_no } as Channel);
  });
};

/** Starts a card payment, as a guest without a cookie, and gives the provider's session of the order. */
export async function startedCard(desk: LossDesk, order: Order, cookie?: string): Promise<Session> {
  const checkout = checkoutOf(desk.service, order, cookie);
  const { status } = await checkout.start(await checkout.methodOf('cardprov'));
  expect(status).toBe(200);
  return sessionOf(desk, order);
}

export async function sessionOf(desk: LossDesk, { order_no }: Order): Promise<Session> {
  const { items } = await desk.sim<{ items: Session[] }>('GET', '/sessions');
  const session = items.find(({ metadata }) => metadata.order_no === order_no);
  if (session === undefined) throw new Error('no session');
  return session;
}

export const pay = (desk: LossDesk, { id }: Session, options: Json = {}): Promise<Session> =>
  desk.sim('POST', `/sessions/${id}/pay`, options);

/** An order that was paid with another amount than it asked for, in minor units, and the case about it. */
export async function receivedWrongly(
  desk: LossDesk,
  shop: Shop,
  amount_total: number,
): Promise<{ order: Order; found: Case }> {
  const order = await shop.unpaid();
  await pay(desk, await startedCard(desk, order), { amount_total });
  return { order, found: await caseOf(desk, order) };
}

/** Has the provider refuse the next refund for good. */
export async function refuseNextRefund(desk: LossDesk): Promise<void> {
  const error = { type: 'invalid_request_error', code: 'expired_or_canceled_card', message: 'No.' };
  const refused = { endpoint: 'refunds.create', mode: 'status', status: 400, body: { error } };
  await desk.sim('POST', '/faults', refused);
}

/** A session that this service did not create: made at the provider with the channel's key, for USD 10.60. */
export async function strangeSession(
  desk: Pick<LossDesk, 'cardsim'>,
  params: Record<string, string> = {},
  secret_key = 'sk_live_simulated',
): Promise<Session> {
  const form = new URLSearchParams({
    mode: 'payment',
    'line_items[0][quantity]': '1',
    'line_items[0][price_data][currency]': 'usd',
    'line_items[0][price_data][unit_amount]': '1060',
    'line_items[0][price_data][product_data][name]': 'Something',
    success_url: 'https://shop.example/done',
    ...params,
  });
  const { status, body, text } = await request<Session>(`${desk.cardsim.url}/v1/checkout/sessions`, 'POST', {
    raw: form.toString(),
    headers: {
      authorization: `Bearer ${secret_key}`,
      'content-type': 'application/x-www-form-urlencoded',
    },
  });
  if (status !== 200) throw new Error(`no session: ${text}`);
  return body;
}

/** The members of a session that was made for an attempt. */
export async function namesOf(
  desk: LossDesk,
  order: Order,
  attempt_id: string,
): Promise<Record<string, string>> {
  const { merchant_no } = await desk.service.admin<{ merchant_no: string }>(
    'GET',
    `/collection-orders/${order.order_no}`,
  );
  return {
    client_reference_id: attempt_id,
    'metadata[order_no]': order.order_no,
    'metadata[merchant_id]': merchantIdOf(merchant_no) ?? '',
  };
}

/** The postings about a case, `CASE` for its number and `ORDER` for the order's. */
export async function linesOf(desk: LossDesk, subject: string, { case_id }: Case): Promise<string[]> {
  const lines = (await linesOn(desk.service, subject)).map(String);
  return lines
    .filter((line) => line.includes('susp:'))
    .map((line) => line.replaceAll(case_id, 'CASE').replaceAll(desk.card.payment_no, 'CHANNEL'));
}

interface Verification {
  findings: { kind: string; subject: string }[];
}

/** Checks that the books are correct, including suspense. */
export async function expectBalancedBooks(desk: LossDesk): Promise<void> {
  const { ok, findings } = await beside(desk.service, verifyLedger);
  expect({ ok, findings }).toEqual({ ok: true, findings: [] });
  // `makeOwe` posts what nothing calls for.
  const unexpected = async () => {
    const { findings } = await desk.service.admin<Verification>('GET', '/ledger/verification');
    return findings.filter(({ subject }) => !subject.startsWith('made-to-owe:'));
  };
  // The test clock may have passed the time of the next seals; the worker makes them by the real one.
  const found = await eventually(unexpected, (all) => all.every(({ kind }) => kind !== 'fact_unsealed'));
  expect(found).toEqual([]);
}

/** The amounts in suspense under a case. */
export const suspended = ({ service }: LossDesk, { case_id }: Case): Promise<bigint> =>
  beside(service, async (db) => {
    const [row] = await db.query<{ balance: bigint }>(
      sql`SELECT balance FROM ledger_balances WHERE account LIKE 'susp:%' AND ref = ${case_id}`,
    );
    return row?.balance ?? 0n;
  });

/** Moves the clock and runs the due work, in this pass or by a worker. */
export async function passTime({ service }: LossDesk, seconds: number): Promise<void> {
  await service.advance(seconds);
  await service.admin('POST', '/jobs/sweep/run');
  await service.admin('POST', '/jobs/reconcile/run');
}
