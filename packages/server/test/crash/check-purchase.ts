import { amountOf, type PaymentDetail, paymentProblems, walletProblems } from './check-payment.ts';
import { cancelled, expectedStatus, isPaidStatus, type PurchaseRecord } from './purchase-record.ts';

/** A catalog order as its merchant reads it, as far as it is checked here. */
export interface Sold {
  order_no: string;
  gd_no: string;
  quantity: number;
  status: number;
  settlement_ptk: string;
  /** At 8-decimal fixed point. */
  payment_pay_amount: number;
  payment_currency_decimals: number;
  other_ipu: { reference: string };
}

/** An order of a purchase after all kills, as administrators and its buyer see it. */
export interface Bought extends PaymentDetail {
  sold: Sold;
  /** The codes on its buyer's page. */
  codes: string[];
}

/** The final state of an order of a purchase. A lost answer leaves behind an additional order, which stays unpaid. */
export const endOf = (record: PurchaseRecord, { order_no }: Pick<Sold, 'order_no'>): number =>
  order_no === record.order_no ? expectedStatus(record) : cancelled;

/** The problems of the orders of a purchase after all kills, in sentences. Pure. */
export function purchaseProblems(record: PurchaseRecord, orders: readonly Bought[]): string[] {
  const found = orders.flatMap((bought) => {
    const problems = orderProblems(record, bought);
    return problems.map((problem) => `${bought.sold.order_no}: ${problem}`);
  });
  const known = orders.filter(({ sold }) => sold.order_no === record.order_no).length;
  if (record.order_no !== '' && known !== 1) found.push(`${record.order_no} is there ${known} times`);
  const forgotten = orders.length - known;
  if (forgotten > record.lost_creations) {
    found.push(`made ${forgotten} orders more, and only ${record.lost_creations} answers were lost`);
  }
  if (record.kind === 'ptk' && known === 1) found.push(...walletProblems(record));
  return found.map((problem) => `${record.kind} purchase ${record.request.other_ipu.reference}: ${problem}`);
}

function orderProblems(record: PurchaseRecord, bought: Bought): string[] {
  const { sold, codes } = bought;
  const { request, product } = record;
  const found: string[] = [];
  const end = endOf(record, sold);
  if (sold.status !== end) found.push(`is ${sold.status}, not ${end}`);
  if (sold.gd_no !== request.gd_no || sold.quantity !== request.quantity) {
    found.push(`is of ${sold.quantity} ${sold.gd_no}`);
  }
  const due = product.delivery === 'code' && isPaidStatus(end) ? request.quantity : 0;
  if (codes.length !== due) found.push(`has got ${codes.length} codes, not ${due}`);
  return [...found, ...attemptProblems(record, bought), ...settlementProblems(record, bought)];
}

/**
 * At most one attempt. An attempt that was given up is closed at the provider before its order is cancelled (D-177).
 */
function attemptProblems(record: PurchaseRecord, { sold, attempts }: Bought): string[] {
  const states = attempts.map(({ state }) => state).join(', ');
  const isStarted = sold.order_no === record.order_no && record.kind !== 'untouched';
  const wanted = !isStarted ? '' : isPaidStatus(endOf(record, sold)) ? 'paid' : 'closed';
  const found = states === wanted ? [] : [`its attempts are "${states}", not "${wanted}"`];
  const [attempt] = attempts;
  if (attempt === undefined) return found;
  if (attempt.buyer_user_id !== record.buyer_user_id) found.push('another paid it');
  const price = BigInt(sold.payment_pay_amount) / 10n ** BigInt(8 - sold.payment_currency_decimals);
  if (amountOf(attempt.amount) !== price) found.push(`costs ${price}, and ${attempt.amount} was asked for`);
  return found;
}

function settlementProblems({ kind, buyer_user_id }: PurchaseRecord, { sold, ...payment }: Bought): string[] {
  if (!isPaidStatus(sold.status))
    return payment.postings.length === 0 ? [] : ['has postings without a payment'];
  const { order_no, settlement_ptk } = sold;
  return paymentProblems({ order_no, settlement_ptk, payer: kind === 'ptk' ? buyer_user_id : null }, payment);
}
