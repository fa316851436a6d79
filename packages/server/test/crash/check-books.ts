import { type Detail, problemsOf } from './check-order.ts';
import { amountOf } from './check-payment.ts';
import type { Bought } from './check-purchase.ts';
import type { OrderRecord } from './order-record.ts';
import { funds_ptk } from './platform.ts';
import { cancelled, isPaidStatus, type PurchaseRecord } from './purchase-record.ts';
import { inParallel } from './settle.ts';
import { merchantCall, type Shop, untilAnswered } from './shop.ts';
import { createOnce } from './shopper.ts';

/** The sums of all rounds so far. */
export interface Totals {
  orders: number;
  paid_by_ptk: number;
  paid_by_card: number;
  expired: number;
  catalog: CatalogTotals;
  /** Debited from each buyer. */
  spent_ptk: Map<string, bigint>;
  settled_ptk: bigint;
}

/** Of the orders from the catalog. */
export interface CatalogTotals {
  orders: number;
  paid_by_ptk: number;
  paid_by_card: number;
  cancelled: number;
  /** The number of cancelled orders whose creation got no answer. */
  forgotten: number;
  /** Purchases that were refused for want of stock. */
  refused: number;
  codes: number;
}

export const noTotals = (): Totals => ({
  orders: 0,
  paid_by_ptk: 0,
  paid_by_card: 0,
  expired: 0,
  catalog: { orders: 0, paid_by_ptk: 0, paid_by_card: 0, cancelled: 0, forgotten: 0, refused: 0, codes: 0 },
  spent_ptk: new Map(),
  settled_ptk: 0n,
});

/** Adds a round's orders, as they ended. */
export function addUp(totals: Totals, details: ReadonlyMap<OrderRecord, Detail>): void {
  for (const [{ kind, buyer_user_id }, { order, attempts }] of details) {
    totals.orders++;
    if (order.status === 'expired') totals.expired++;
    if (order.status !== 'paid') continue;
    totals.settled_ptk += BigInt(order.settlement_ptk ?? 0);
    if (kind !== 'ptk') {
      totals.paid_by_card++;
      continue;
    }
    totals.paid_by_ptk++;
    addSpent(totals, buyer_user_id, attempts);
  }
}

/** Adds the catalog sales of a round. */
export function addUpCatalog(
  totals: Totals,
  purchases: readonly PurchaseRecord[],
  bought: readonly Bought[],
): void {
  const { catalog } = totals;
  const known = new Set(purchases.map(({ order_no }) => order_no));
  catalog.refused += purchases.filter(({ refused_of }) => refused_of !== null).length;
  for (const { sold, attempts, codes } of bought) {
    catalog.orders++;
    catalog.codes += codes.length;
    if (sold.status === cancelled) catalog.cancelled++;
    if (!known.has(sold.order_no)) catalog.forgotten++;
    if (!isPaidStatus(sold.status)) continue;
    totals.settled_ptk += BigInt(sold.settlement_ptk);
    if (attempts[0]?.provider !== 'ptk') {
      catalog.paid_by_card++;
      continue;
    }
    catalog.paid_by_ptk++;
    addSpent(totals, attempts[0].buyer_user_id, attempts);
  }
}

function addSpent({ spent_ptk }: Totals, buyer_user_id: string | null, [attempt]: Detail['attempts']): void {
  const spent = spent_ptk.get(buyer_user_id ?? '') ?? 0n;
  spent_ptk.set(buyer_user_id ?? '', spent + amountOf(attempt?.amount));
}

/** Every order by itself, and every key once more: it stands for the order that was acknowledged, and for no other. */
export async function checkOrders(shop: Shop, details: ReadonlyMap<OrderRecord, Detail>): Promise<void> {
  const { problems, inbox } = shop;
  await inParallel([...details], async ([record, detail]) => {
    problems.push(...problemsOf(record, detail, inbox.versionsOf(record.order_no)));
    const again = await untilAnswered(
      shop,
      () => createOnce(shop, record),
      () => undefined,
    );
    if (again.status !== 201 || again.body.order_no !== record.order_no) {
      problems.push(`the key of ${record.order_no} answers ${again.status} ${again.text}`);
    }
    const query = new URLSearchParams({ external_reference: record.request.external_reference });
    const list = await untilAnswered(
      shop,
      () => merchantCall<{ items: unknown[] }>(shop, 'GET', `/merchant-payments?${query.toString()}`),
      () => undefined,
    );
    if (list.status !== 200 || list.body.items.length !== 1) {
      problems.push(`${record.order_no} is there ${list.body.items.length} times`);
    }
  });
}

/** Compares the wallets with the acknowledged payments, and checks the books. */
export async function checkBooks({ paydesk, platform, problems }: Shop, totals: Totals): Promise<void> {
  const { admin } = paydesk;
  for (const { user_id } of platform.buyers) {
    const { available_ptk } = await admin<{ available_ptk: string }>('GET', `/users/${user_id}/wallet`);
    const wanted = funds_ptk - (totals.spent_ptk.get(user_id) ?? 0n);
    if (BigInt(available_ptk) !== wanted) problems.push(`a buyer has ${available_ptk}, not ${wanted}`);
  }
  const wallet = await admin<{ available_ptk: string; held_ptk: string }>(
    'GET',
    `/merchants/${platform.merchant_no}/wallet`,
  );
  const settled = BigInt(wallet.available_ptk) + BigInt(wallet.held_ptk);
  if (settled !== totals.settled_ptk) problems.push(`the merchant has ${settled}, not ${totals.settled_ptk}`);
  const paid = [totals, totals.catalog].map(({ paid_by_ptk, paid_by_card }) => paid_by_ptk + paid_by_card);
  const entries = paid.reduce((sum, count) => sum + count, platform.buyers.length);
  problems.push(...(await ledgerProblems(paydesk, BigInt(entries))));
}

interface Verification {
  ok: boolean;
  entries: number | string;
}

/** @param entries how many there have to be: one for each top-up and each paid order; absent: not known now */
export async function ledgerProblems({ admin }: Shop['paydesk'], entries?: bigint): Promise<string[]> {
  const found = await admin<Verification>('GET', '/ledger/verification');
  if (!found.ok) return [`the books do not balance: ${JSON.stringify(found)}`];
  if (entries === undefined || BigInt(found.entries) === entries) return [];
  return [`the books hold ${found.entries} entries, not ${entries}`];
}
