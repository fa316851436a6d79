/** Turns daily sums of orders and payments into the figures of the consoles. */
import { formatMinor } from '../../base/money.ts';
import { daysUpTo } from '../../base/time/zone-days.ts';
import type { DayOfOrders, DayOfPayments } from './figures.sql.ts';

export interface Volume {
  currency: string;
  amount: string;
  orders: number;
}

export interface Figures {
  /** The current date, such as 2026-03-02. */
  today: string;
  created: readonly DayOfOrders[];
  paid: readonly DayOfPayments[];
}

const seriesDays = 30;

/** Adds up payments by currency. If a currency's precision has changed, the sum uses the finer one. */
export function volumeOf(payments: readonly DayOfPayments[]): Volume[] {
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

/** Counts the created orders, and those of them that are paid now. */
function ordersOf(created: readonly DayOfOrders[]): { created: number; paid: number } {
  const count = (days: readonly DayOfOrders[]): number =>
    days.reduce((sum, { orders }) => sum + Number(orders), 0);
  return { created: count(created), paid: count(created.filter(({ status }) => status === 'paid')) };
}

const ofDay = <T extends { day: string }>(days: readonly T[], day: string): T[] =>
  days.filter((one) => one.day.startsWith(day));

/** The figures of today, of this month, and of each of the last thirty days. */
export function figuresJson({ today, created, paid }: Figures) {
  const month = today.slice(0, 7);
  return {
    volume: { today: volumeOf(ofDay(paid, today)), month: volumeOf(ofDay(paid, month)) },
    orders: { today: ordersOf(ofDay(created, today)), month: ordersOf(ofDay(created, month)) },
    series: daysUpTo(today, seriesDays).map((day) => ({
      day,
      ...ordersOf(ofDay(created, day)),
      volume: volumeOf(ofDay(paid, day)),
    })),
  };
}
