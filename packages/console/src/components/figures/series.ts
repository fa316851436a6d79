/** The figures of the charts, day by day. */
import type { Sales } from '../../api/merchants.ts';
import { timeFormat } from '../../texts/format.ts';

/** Volume and conversion, day by day. */
export type Series = Sales['series'];

const short = timeFormat({ month: 'short', day: 'numeric', timeZone: 'UTC' });
const label = (day: string): string => short.format(new Date(`${day}T00:00:00Z`));

/** The currencies of the volume, the one with the most orders first. */
export function chartedCurrencies(series: Series): string[] {
  const counts = new Map<string, number>();
  for (const { volume } of series) {
    for (const { currency, orders } of volume) counts.set(currency, (counts.get(currency) ?? 0) + orders);
  }
  return [...counts].sort((a, b) => b[1] - a[1]).map(([currency]) => currency);
}

/** The heights of the bars. They are drawn and never shown as amounts, so a float is exact enough. */
export const volumeSeries = (series: Series, currency: string) =>
  series.map(({ day, volume }) => ({
    day: label(day),
    volume: Number.parseFloat(volume.find((one) => one.currency === currency)?.amount ?? '0'),
  }));

/** The share of a day's orders that were paid, in percent; null without orders. */
export const conversionSeries = (series: Series) =>
  series.map(({ day, created, paid }) => ({
    day: label(day),
    conversion: created === 0 ? null : Math.round((1_000 * paid) / created) / 10,
  }));
