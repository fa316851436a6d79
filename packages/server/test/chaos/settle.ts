import { setTimeout as pause } from 'node:timers/promises';
import type { Json } from '../crash/ask.ts';
import { inParallel } from '../crash/settle.ts';
import type { Platform } from '../crash/platform.ts';
import type { Desk } from './desk.ts';
import type { FinalOrder, FinalWallet, History } from './history.ts';

/** What the administration API shows of an order, as far as it is read here. */
interface Detail {
  order: Json & { order_no: string; idempotency_key: string; status: string; status_version: number } & {
    event_id?: string | null;
    settlement_ptk?: string | null;
  };
  attempts: { state: string; provider: string; amount: string; buyer_user_id: string | null }[];
  refunds: { status: string; amount: string }[];
  notifications: { status_version: number; delivery_status: string }[];
}

/** Retries of notifications begin after a minute; a hold on a card attempt lasts 12 s of real time. */
const step_s = 61;
const mostLooks = 90;
const pause_ms = 500;

/** States of an attempt whose outcome at the provider is still unknown. */
const unclear = ['creating', 'unknown', 'processing'];

/** Lets the processes finish what is left, then notes every order in the history as it ended. */
export async function settle(desk: Desk, history: History): Promise<void> {
  const known = new Set(history.calls.flatMap(({ order_no }) => (order_no === '' ? [] : [order_no])));
  const finals = new Map<string, FinalOrder>();
  const paid = new Set(history.provider_payments.map(({ order_no }) => order_no));
  let waiting = [...known];
  for (let looks = 1; looks <= mostLooks && waiting.length > 0; looks++) {
    await desk.admin('PUT', '/test-clock', { advance_seconds: step_s });
    await pause(pause_ms);
    await inParallel(waiting, async (order_no) => {
      finals.set(order_no, finalOf(await readDetail(desk, order_no), paid.has(order_no)));
    });
    waiting = waiting.filter((order_no) => finals.get(order_no)?.open.length !== 0);
  }
  history.orders.push(...finals.values());
}

async function readDetail(desk: Desk, order_no: string): Promise<Detail> {
  for (let tries = 1; ; tries++) {
    try {
      return await desk.admin<Detail>('GET', `/collection-orders/${order_no}`);
    } catch (error) {
      if (tries === 5) throw error;
      await pause(pause_ms);
    }
  }
}

function finalOf({ order, attempts, refunds, notifications }: Detail, paidAtProvider: boolean): FinalOrder {
  const paidAttempt = attempts.find(({ state }) => state === 'paid' || state === 'paid_late');
  const wallet = paidAttempt?.provider === 'ptk';
  const amount = BigInt((paidAttempt?.amount ?? '0').replace('.', ''));
  const isReturned = order.status === 'refunded';
  const open = [
    ...attempts.filter(({ state }) => unclear.includes(state)).map(({ state }) => `an attempt is ${state}`),
    ...refunds.filter(({ status }) => status === 'pending').map(() => 'a refund is pending'),
    ...notifications
      .filter(({ delivery_status }) => delivery_status !== 'delivered')
      .map((one) => `the notification of version ${one.status_version} is ${one.delivery_status}`),
    ...(paidAtProvider && order.event_id == null ? ['it was paid at the provider and shows no payment'] : []),
  ];
  return {
    order_no: order.order_no,
    key: order.idempotency_key,
    order: {
      status: order.status,
      status_version: order.status_version,
      event_id: order.event_id ?? null,
    },
    buyer: wallet ? (paidAttempt.buyer_user_id ?? null) : null,
    charged: wallet ? amount : 0n,
    settled: BigInt(order.settlement_ptk ?? 0),
    returned: isReturned ? (wallet ? amount : amount * unitsPerCent) : 0n,
    open,
  };
}

/** 1 PTK is 0.10 USD and has 8 digits, so a cent is worth this many units. */
const unitsPerCent = 10_000_000n;

/** What is in every wallet now. What a merchant owes counts as less. */
export async function readWallets(desk: Desk, platform: Platform): Promise<Map<string, bigint>> {
  const wallets = new Map<string, bigint>();
  for (const { user_id } of platform.buyers) {
    const { available_ptk } = await desk.admin<{ available_ptk: string }>('GET', `/users/${user_id}/wallet`);
    wallets.set(user_id, BigInt(available_ptk));
  }
  const path = `/merchants/${platform.merchant_no}/wallet`;
  const wallet = await desk.admin<Record<string, string>>('GET', path);
  const of = (name: string): bigint => BigInt(wallet[name] ?? 0);
  const has = of('available_ptk') + of('held_ptk') + of('frozen_ptk') + of('guarantee_ptk');
  wallets.set(platform.merchant_no, has - of('recovery_ptk'));
  return wallets;
}

export function finalWallets(
  platform: Platform,
  before: ReadonlyMap<string, bigint>,
  after: ReadonlyMap<string, bigint>,
): FinalWallet[] {
  return [...before].map(([name, amount]) => ({
    name,
    owner: name === platform.merchant_no ? 'merchant' : 'buyer',
    before: amount,
    after: after.get(name) ?? 0n,
  }));
}
