/** Verifies the ledger, and orders and cases against it. `paydesk verify-ledger` and the administration run it. */
import type { Database, Queryable, Tx } from '../../base/pg/index.ts';
import {
  accountSumsSubject,
  type AccountSumsFault,
  findOwedFaults,
  owedSumsSubject,
  selectAccountSumsFaults,
} from '../../ledger/sums/index.ts';
import {
  amountWords,
  bookOf,
  type Finding,
  readOneSnapshot,
  type Scope,
  type Verification,
  verifyLedger,
} from '../../ledger/verification/index.ts';
import { ptk } from '../../base/money.ts';
import { verifyFacts } from './every-check.ts';
import {
  type CaseFault,
  type OrderFault,
  type OrderFaults,
  selectCaseFaults,
  selectOrderFaults,
} from './orders-and-cases.sql.ts';
import {
  selectPlatformSumsFault,
  selectProgressFaults,
  selectSumsFaults,
  type SumsFault,
  sumsSubject,
} from './kept-sums.sql.ts';

/** Maximum number of orders with faults to report. */
const maxOrderFaults = 1_000;
/** Maximum number of cases with faults to report. */
const maxCaseFaults = 1_000;

/**
 * Verifies all books, in one snapshot, while the service runs:
 *
 * - the ledger itself (`verifyLedger`);
 * - each order against the ledger: its held funds and its single settlement;
 * - each settlement against its order;
 * - each case against the money in suspense;
 * - every stored fact against the other records of it (`verifyFacts`);
 * - the kept sums of orders against the orders, and the kept sums of accounts against their transfers
 *   and balances.
 *
 * The database compares, in one of its processes and by plans whose memory does not grow with the books (D-387).
 */
export function verifyBooks(db: Database): Promise<Verification> {
  const check = async (tx: Tx): Promise<Verification> => {
    await readOneSnapshot(tx);
    return checkBooks(tx, null);
  };
  return db.transaction(check, { unlimited: true });
}

/** The same, in the caller's transaction, for some subjects or for all. */
export async function checkBooks(db: Queryable, scope: Scope): Promise<Verification> {
  const books = await verifyLedger(db, scope);
  const orders = await selectOrderFaults(db, scope, maxOrderFaults);
  // Cases and the money in suspense agree (D-082, D-083).
  const cases = (await selectCaseFaults(db, scope, maxCaseFaults)).map(caseFinding);
  const facts = await verifyFacts(db, scope);
  const sums = [
    ...(await selectSumsFaults(db, scope, maxOrderFaults)).map(sumsFinding('order_sums_differ')),
    ...(await selectPlatformSumsFault(db, scope)).map(sumsFinding('order_sums_differ')),
    ...(await selectProgressFaults(db, scope, maxOrderFaults)).map(sumsFinding('progress_sums_differ')),
  ];
  const accounts = [
    ...(await selectAccountSumsFaults(db, scope, maxOrderFaults)).map(accountSumsFinding),
    // A balance that differs from its transfers also differs from the kept sums: one finding is enough.
    ...(books.drift.length > 0 ? [] : await findOwedFaults(db, scope)).map(owedSumsFinding),
  ];
  const found = [...books.findings, ...orders.flatMap(orderFindings), ...cases, ...facts];
  const findings = [...found, ...sums, ...accounts];
  return { ...books, ok: findings.length === 0, findings };
}

function orderFindings(row: OrderFaults): Finding[] {
  const { owner, order_no, faults } = row;
  return faults.map((kind) => ({
    kind,
    book: bookOf(owner),
    subject: order_no,
    words: faultWords[kind](row),
  }));
}

const caseFinding = (fault: CaseFault): Finding => ({
  kind: 'suspense_amount',
  book: bookOf(fault.owner),
  subject: fault.case_id,
  words: caseWords(fault),
});

function caseWords({ case_id, state, suspended, currency }: CaseFault): string {
  const amount = amountWords(suspended, currency);
  if (state === null) return `${amount} wait in suspense under ${case_id}, and there is no such case`;
  return `case ${case_id} is ${state}, and ${amount} wait in suspense under it`;
}

const sumsFinding =
  (kind: 'order_sums_differ' | 'progress_sums_differ') =>
  ({ owner, quarters, first }: SumsFault): Finding => ({
    kind,
    book: bookOf(owner),
    subject: sumsSubject,
    words: `${quarters} of the kept sums of orders differ from the orders, the first at ${first.toISOString()}: "paydesk rebuild-sums" rebuilds them`,
  });

const accountSumsFinding = ({ owner, accounts, first }: AccountSumsFault): Finding => ({
  kind: 'account_sums_differ',
  book: bookOf(owner),
  subject: accountSumsSubject,
  words: `${accounts} of the kept sums of accounts differ from their transfers, the first of ${first}: "paydesk rebuild-sums" rebuilds them`,
});

const owedSumsFinding = ({ owner, accounts, first }: AccountSumsFault): Finding => ({
  kind: 'account_sums_differ',
  book: bookOf(owner),
  subject: owedSumsSubject,
  words: `${accounts} of the kept sums of what the platform owes differ from the balances, the first of ${first}: "paydesk rebuild-sums" rebuilds them`,
});

const inPtk = (amount: bigint | null): string => amountWords(amount ?? 0n, ptk);

const faultWords: Record<OrderFault, (row: OrderFaults) => string> = {
  order_without_settlement: ({ order_no, status }) =>
    `order ${order_no} is ${status ?? ''}, and no payment of it is in the books`,
  order_settled_twice: ({ order_no, settlements }) =>
    `order ${order_no} has ${settlements} settlements in the books instead of one`,
  settlement_amount: settlementWords,
  settlement_without_order: ({ order_no }) => `the books settle ${order_no}, and there is no such order`,
  settlement_of_unpaid_order: ({ order_no, status }) =>
    `order ${order_no} is ${status ?? ''}, and the books settle a payment of it`,
  settlement_of_own_channel: ({ order_no }) =>
    `order ${order_no} was paid on the merchant’s own channel, and the books settle a payment to the platform`,
  settlement_of_historical_order: ({ order_no }) =>
    `order ${order_no} is historical, settled by an older system, and the books settle it once more`,
  held_amount: ({ order_no, held, expected_held }) =>
    `order ${order_no} has ${inPtk(held)} under hold or frozen, and should have ${inPtk(expected_held)}`,
  fee_reserved_amount: ({ order_no, reserved, expected_reserved }) =>
    `order ${order_no} has ${inPtk(reserved)} set aside for its fee, and its reservations say ${inPtk(expected_reserved)}`,
  hold_missing: ({ order_no }) =>
    `order ${order_no} is paid under hold, and the end of its hold is not recorded`,
  hold_without_payment: ({ order_no }) =>
    `a hold is recorded for order ${order_no}, and no payment of it came under hold`,
};

/** Names only the amounts that differ. */
function settlementWords(row: OrderFaults): string {
  const { order_no, paid, payment_amount, payment_currency, fee, merchant_fee_ptk, net, settlement_ptk } =
    row;
  const inPaid = (amount: bigint | null): string => amountWords(amount ?? 0n, payment_currency ?? '');
  const pairs = [
    ...(settlement_ptk === null
      ? []
      : [
          ['the payment', inPaid(paid), inPaid(payment_amount)],
          ['the net', inPtk(net), inPtk(settlement_ptk)],
        ]),
    ['the merchant fee', inPtk(fee), inPtk(merchant_fee_ptk)],
  ];
  const differing = pairs
    .filter(([, booked, ordered]) => booked !== ordered)
    .map(
      ([what = '', booked = '', ordered = '']) => `${what} is ${booked} there and ${ordered} on the order`,
    );
  return `order ${order_no} and its settlement in the books differ: ${differing.join('; ')}`;
}
