/** Turns daily sums of orders and payments into the figures of the consoles. */
import { formatMinor } from '../../base/money.ts';
import { daysUpTo } from '../../base/time/zone-days.ts';
import type { DayOfPayments } from './figures.sql.ts';
import type { DaySums } from './order-sums.sql.ts';

export interface Volume {
  currency: string;
  amount: string;
  orders: number;
}

export interface Figures {
  /** The current date, such as 2026-03-02. */
  today: string;
  days: readonly DaySums[];
}

const seriesDays = 30;

type Payments = Pick<DayOfPayments, 'currency' | 'currency_decimals' | 'amount_minor' | 'orders'>;

/** Adds up payments by currency. If a currency's precision has changed, the sum uses the finer one. */
export function volumeOf(payments: readonly Payments[]): Volume[] {
  const sums = new Map<string, { minor: bigint; decimals: number; orders: number }>();
  for (const { currency, currency_decimals, amount_minor, orders } of payments) {
    const sum = sums.get(currency) ?? { minor: 0n, decimals: currency_decimals, orders: 0 };
    const decimals = Math.max(sum.decimals, currency_decimals);
    sums.set(currency, {
      minor: scaled(sum.minor, decimals - sum.decimals) + scaled(amount_minor, decimals - currency_decimals),
      decimals,
      orders: sum.orders + Number(orders),
    });
  }
  return [...sums]
    .sort(([a], [b]) => a.localeCompare(b))
    .map(([currency, { minor, decimals, orders }]) => ({
      currency,
      amount: formatMinor(minor, decimals),
      orders,
    }));
}

const scaled = (minor: bigint, digits: number): bigint => minor * 10n ** BigInt(digits);

/** Counts the created orders, and how many of them are paid now. */
function ordersOf(days: readonly DaySums[]): { created: number; paid: number } {
  const sum = (of: (day: DaySums) => bigint): number =>
    days.reduce((total, day) => total + Number(of(day)), 0);
  return { created: sum(({ created }) => created), paid: sum(({ created_paid }) => created_paid) };
}

/** The days' payments by currency. */
export const paidOf = (days: readonly DaySums[]): DayOfPayments[] =>
  days
    .filter(({ paid }) => paid > 0n)
    .map(({ day, currency, currency_decimals, paid, paid_minor }) => ({
      ...{ day, currency, currency_decimals },
      ...{ amount_minor: paid_minor, orders: paid },
    }));

const ofDay = (days: readonly DaySums[], day: string): DaySums[] =>
  days.filter((one) => one.day.startsWith(day));

/** The figures of today, of this month, and of each of the last thirty days. */
export function figuresJson({ today, days }: Figures) {
  const ofToday = ofDay(days, today);
  const ofMonth = ofDay(days, today.slice(0, 7));
  return {
    volume: { today: volumeOf(paidOf(ofToday)), month: volumeOf(paidOf(ofMonth)) },
    orders: { today: ordersOf(ofToday), month: ordersOf(ofMonth) },
    series: daysUpTo(today, seriesDays).map((day) => {
      const sums = ofDay(days, day);
      return { day, ...ordersOf(sums), volume: volumeOf(paidOf(sums)) };
    }),
  };
}
