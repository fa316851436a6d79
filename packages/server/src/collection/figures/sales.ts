/** A merchant's sales in a range of days, beside the days before: volume, and how far orders came (D-332). */
import { type DeclineReason, declineReasons, type UnpaidReason } from '@paydesk/contract';
import { dayBefore, daysUpTo } from '../../base/time/zone-days.ts';
import { paidOf, volumeOf } from './figures.ts';
import { rateOf } from './rate.ts';
import type { DaySums } from './order-sums.sql.ts';
import type { DayOfProgress, Endings } from './progress-sums.sql.ts';

/** Days from `from` to `until`, both included. */
export interface Days {
  from: string;
  until: string;
}

const day_ms = 86_400_000;

/** The number of days. */
export const lengthOf = ({ from, until }: Days): number =>
  Math.round((Date.parse(until) - Date.parse(from)) / day_ms) + 1;

/** As many days, just before. */
export function daysBefore(days: Days): Days {
  const until = dayBefore(days.from, 1);
  return { from: dayBefore(until, lengthOf(days) - 1), until };
}

const steps = ['created', 'opened', 'method_chosen', 'started', 'paid'] as const;

type Funnel = Record<(typeof steps)[number], bigint>;

const sumOf = (days: readonly DayOfProgress[]): Funnel => ({
  created: sum(days.map(({ created }) => created)),
  opened: sum(days.map(({ opened }) => opened)),
  method_chosen: sum(days.map(({ method_chosen }) => method_chosen)),
  started: sum(days.map(({ started }) => started)),
  paid: sum(days.map(({ confirmed }) => confirmed)),
});

const sum = (values: readonly bigint[]): bigint => values.reduce((total, value) => total + value, 0n);

export interface SalesFacts {
  days: Days;
  /** Of these days and of those before. */
  progress: readonly DayOfProgress[];
  payments: readonly DaySums[];
  /** Of these days alone. */
  endings: readonly Endings[];
}

/** The figures of a range, of the days before it, day by day, and by channel. */
export function salesJson({ days, progress, payments, endings }: SalesFacts) {
  const within = <T extends { day: string }>(facts: readonly T[], { from, until }: Days): T[] =>
    facts.filter(({ day }) => from <= day && day <= until);
  const periodOf = (of: Days) => {
    const orders = sumOf(within(progress, of));
    return {
      ...of,
      orders,
      conversion: rateOf(orders.paid, orders.created),
      volume: volumeOf(paidOf(within(payments, of))),
    };
  };
  return {
    period: periodOf(days),
    before: periodOf(daysBefore(days)),
    series: daysUpTo(days.until, lengthOf(days)).map((day) => {
      const { created, paid } = sumOf(progress.filter((one) => one.day === day));
      return { day, created, paid, volume: volumeOf(paidOf(payments.filter((one) => one.day === day))) };
    }),
    methods: methodsOf(endings),
  };
}

/** Each channel that orders were paid with, or not: the one with the most orders first. */
function methodsOf(endings: readonly Endings[]) {
  const numbers = [...new Set(endings.map(({ payment_no }) => payment_no))];
  return numbers
    .map((payment_no) =>
      methodOf(
        payment_no,
        endings.filter((one) => one.payment_no === payment_no),
      ),
    )
    .sort((a, b) => Number(b.method_chosen - a.method_chosen) || (a.payment_no < b.payment_no ? -1 : 1));
}

function methodOf(payment_no: string, endings: readonly Endings[]) {
  const reasons = new Map<UnpaidReason, bigint>();
  for (const ending of endings) {
    const reason = unpaidReason(ending);
    if (reason !== null) reasons.set(reason, (reasons.get(reason) ?? 0n) + ending.orders);
  }
  const method_chosen = sum(endings.map(({ orders }) => orders));
  const paid = sum(endings.filter(isPaid).map(({ orders }) => orders));
  return {
    payment_no,
    method_chosen,
    started: sum(endings.map(({ started }) => started)),
    paid,
    conversion: rateOf(paid, method_chosen),
    unpaid: [...reasons]
      .map(([reason, orders]) => ({ reason, orders }))
      .sort((a, b) => Number(b.orders - a.orders) || a.reason.localeCompare(b.reason)),
  };
}

const isPaid = ({ state }: Pick<Endings, 'state'>): boolean => state === 'paid' || state === 'paid_late';

/** Why an attempt ended unpaid (D-331); null if it was paid, or is under way. */
export function unpaidReason({
  state,
  declined,
  had_page,
}: Pick<Endings, 'state' | 'declined' | 'had_page'>): UnpaidReason | null {
  switch (state) {
    case 'closed':
      return asReason(declined) ?? 'abandoned';
    case 'failed':
      return asReason(declined) ?? 'declined';
    case 'rejected':
      // A provider that refuses makes no page: this one was closed for the buyer (D-258).
      return had_page ? (asReason(declined) ?? 'method_changed') : 'provider_refused';
    case 'absent':
      return 'provider_refused';
    case 'mismatch':
      return 'in_review';
    default:
      return null;
  }
}

/** A reason that a newer release wrote is a decline like others. */
const asReason = (declined: string | null): DeclineReason | null =>
  declined === null ? null : (declineReasons.find((known) => known === declined) ?? 'declined');
