/** Reads what a buyer has and has paid, at all merchants, for the pages of the account (D-236). */
import type { Activity, BuyerPayment, WalletLine } from '@paydesk/checkout';
import { formatMinor, ptkDecimals } from '../../base/money.ts';
import { rfc3339 } from '../../base/time/clock.ts';
import { hasDelivery } from '../../catalog/fulfilment/index.ts';
import {
  isCatalogOrderNo,
  lineOf,
  orderPath,
  selectCatalogOrder,
  sumAppPayments,
} from '../../catalog/orders/index.ts';
import { selectOrder } from '../../collection/orders/index.ts';
import { readTopUpOffer } from '../../collection/top-ups/index.ts';
import {
  readUserBalance,
  selectWalletLines,
  type WalletLineKey,
  type WalletLineRow,
} from '../../ledger/books/index.ts';
import { merchantsOf } from '../../merchants/index.ts';
import { type BuyerPaymentRow, selectPaymentsOf } from '../../payments/attempts/index.ts';
import { checkoutToken } from '../link/checkout-token.ts';
import type { CheckoutDeps } from '../request/deps.ts';

export interface ActivityDeps extends Pick<
  CheckoutDeps,
  'db' | 'box' | 'findMerchant' | 'channels' | 'currencies'
> {
  base_path: string;
}

/** How many lines and payments the account's page shows. */
const shownAtFirst = 5;

/** The beginning of time: all payments of an app count. */
const always = new Date(0);

/** A person of a session, and the apps that act for them. */
export interface ActivePerson {
  user_id: string;
  is_staff: boolean;
  apps: readonly { client_id: string; merchant_id: string | null }[];
}

/** The balance with its latest lines, the latest payments, and what apps have paid. */
export async function readActivity(
  deps: ActivityDeps,
  { user_id, is_staff, apps }: ActivePerson,
): Promise<Activity> {
  const { db } = deps;
  const [available, lines, payments, spent, merchants, offer] = await Promise.all([
    readUserBalance(db, user_id),
    selectWalletLines(db, user_id, null, shownAtFirst),
    readPayments(deps, user_id, null, shownAtFirst),
    Promise.all(
      apps.map(async ({ client_id, merchant_id }): Promise<[string, string][]> => {
        if (merchant_id === null) return [];
        const sum = await sumAppPayments(db, { merchant_id, user_id, client_id }, always);
        return [[client_id, formatMinor(sum, ptkDecimals)]];
      }),
    ),
    merchantsOf(db, user_id),
    readTopUpOffer(deps, user_id),
  ]);
  return {
    available_ptk: formatMinor(available, ptkDecimals),
    top_up: offer !== null,
    lines: lines.map(walletLine),
    payments: payments.map(({ shown }) => shown),
    spent: Object.fromEntries(spent.flat()),
    consoles: { merchant: merchants.length > 0, platform: is_staff },
  };
}

/** Lines of the balance, newest first, and the key of each for the next page. */
export async function readWalletPage(
  { db }: Pick<ActivityDeps, 'db'>,
  user_id: string,
  after: WalletLineKey | null,
  limit: number,
): Promise<{ shown: WalletLine; key: WalletLineKey }[]> {
  const rows = await selectWalletLines(db, user_id, after, limit);
  return rows.map((row) => ({ shown: walletLine(row), key: row }));
}

function walletLine({ at, amount_ptk, posting, subject }: WalletLineRow): WalletLine {
  return {
    at: rfc3339(at),
    amount_ptk: formatMinor(amount_ptk, ptkDecimals),
    about: aboutOf(posting, amount_ptk),
    // A top-up has `kind:reference` as its subject.
    subject: posting.startsWith('P14') ? subject.slice(subject.indexOf(':') + 1) : subject,
  };
}

function aboutOf(posting: string, amount_ptk: bigint): WalletLine['about'] {
  if (posting === 'P2') return 'payment';
  if (posting.startsWith('P14') || posting === 'P21') return 'top_up';
  if (posting === 'P22') return 'top_up_back';
  return amount_ptk > 0n ? 'refund' : 'other';
}

export type PaymentKey = Pick<BuyerPaymentRow, 'paid_at' | 'attempt_id'>;

/** Confirmed payments, newest first, and the key of each for the next page. */
export async function readPayments(
  deps: ActivityDeps,
  user_id: string,
  after: PaymentKey | null,
  limit: number,
): Promise<{ shown: BuyerPayment; key: PaymentKey }[]> {
  const rows = await selectPaymentsOf(deps.db, user_id, after, limit);
  return Promise.all(rows.map(async (row) => ({ shown: await shownPayment(deps, row), key: row })));
}

async function shownPayment(deps: ActivityDeps, row: BuyerPaymentRow): Promise<BuyerPayment> {
  const { merchant_id, order_no } = row;
  const [merchant, order] = await Promise.all([
    deps.findMerchant(merchant_id),
    isCatalogOrderNo(order_no) ? fromCatalog(deps, row) : fromCollection(deps, row),
  ]);
  return {
    at: rfc3339(row.paid_at),
    merchant: merchant?.name ?? '',
    amount: formatMinor(row.amount, row.currency_decimals),
    currency: row.currency,
    test_mode: row.test_mode,
    ...order,
  };
}

type Ordered = Pick<BuyerPayment, 'title' | 'status' | 'page' | 'receipt' | 'receipt_pdf' | 'delivered'>;

async function fromCatalog(
  { db, base_path }: Pick<ActivityDeps, 'db' | 'base_path'>,
  { merchant_id, order_no }: BuyerPaymentRow,
): Promise<Ordered> {
  const order = await selectCatalogOrder(db, merchant_id, order_no);
  return {
    title: order === null ? order_no : lineOf(order),
    status: order?.reversed ?? 'paid',
    page: base_path + orderPath(order_no),
    receipt: null,
    receipt_pdf: `${base_path}${orderPath(order_no)}/receipt.pdf`,
    delivered: order !== null && (await hasDelivery(db, order)),
  };
}

/** The person has paid the order, so its link is theirs again, on any device. */
async function fromCollection(
  { db, box, base_path }: ActivityDeps,
  { merchant_id, order_no }: BuyerPaymentRow,
): Promise<Ordered> {
  const order = await selectOrder(db, merchant_id, order_no);
  const path = `${base_path}/checkout/${order_no}`;
  const query = order === null ? '' : `?token=${checkoutToken(box, order)}`;
  const { status = 'paid', description = '' } = order ?? {};
  return {
    title: description === '' ? order_no : description,
    status: status === 'refunded' || status === 'chargeback' ? status : 'paid',
    page: path + query,
    receipt: `${path}/receipt${query}`,
    receipt_pdf: `${path}/receipt.pdf${query}`,
    delivered: false,
  };
}
