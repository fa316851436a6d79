/** Numbers and times as the language of the consoles writes them (D-275, D-493). */
import { direction, formatLocale } from './language.ts';

const plain = new Intl.NumberFormat(formatLocale);

/** A count: `12,500`. */
export const numberText = (value: number): string => plain.format(value);

const percent = new Intl.NumberFormat(formatLocale, { style: 'percent', maximumFractionDigits: 1 });
const smallPercent = new Intl.NumberFormat(formatLocale, { style: 'percent', maximumFractionDigits: 2 });

/** A rate as the service writes it: `0.7150` is `71.5%`. Below one percent, as rates of losses are, it has two decimals. */
export function percentText(rate: string): string {
  const value = Number.parseFloat(rate);
  return (value < 0.01 ? smallPercent : percent).format(value);
}

const sizes = (['kilobyte', 'megabyte'] as const).map(
  (unit) =>
    new Intl.NumberFormat(formatLocale, {
      ...{ style: 'unit', unit, unitDisplay: 'short', maximumFractionDigits: 1 },
    }),
);

/** The size of a file: `128 kB`, `4.5 MB`. */
export function sizeText(bytes: number): string {
  const [small, large] = sizes;
  return bytes < 1_000_000
    ? (small?.format(Math.floor(bytes / 1_024)) ?? '')
    : (large?.format(bytes / 1_000_000) ?? '');
}

const signed = { maximumFractionDigits: 1, signDisplay: 'exceptZero' } as const;
const points = new Intl.NumberFormat(formatLocale, signed);
const change = new Intl.NumberFormat(formatLocale, { ...signed, style: 'percent' });

/** A change in percent, with its sign: `+2.5%`. */
export const changeText = (percent: number): string => isolated(change.format(percent / 100));

/** A change in points, with its sign: `+2.5`. */
export const pointsText = (value: number): string => isolated(points.format(value));

/** Where words run from right to left, an isolate keeps a sign before its number. */
const isolated = (text: string): string => (direction === 'ltr' ? text : `\u2066${text}\u2069`);

const mark = plain.formatToParts(1_000.5).find(({ type }) => type === 'decimal')?.value ?? '.';

/** `-1234567.5` as `−1,234,567.5`: grouped digit by digit and not rounded, so that no figure passes through a float. */
export function decimalText(decimal: string): string {
  const [, sign = '', whole = '', fraction = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(decimal) ?? [];
  if (whole === '') return decimal;
  const grouped = plain.format(BigInt(whole)) + (fraction === '' ? '' : mark + fraction);
  if (sign === '') return grouped;
  // Where words run from right to left, an isolate keeps the minus before its number.
  return direction === 'ltr' ? `−${grouped}` : `\u2066−${grouped}\u2069`;
}

/** The same with a plus before what is above zero. */
export function signedText(decimal: string): string {
  if (!/[1-9]/.test(decimal) || decimal.startsWith('-')) return decimalText(decimal);
  return direction === 'ltr' ? `+${decimalText(decimal)}` : `\u2066+${decimalText(decimal)}\u2069`;
}

/** A format of times with the figures of the consoles. */
export const timeFormat = (options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat =>
  new Intl.DateTimeFormat(formatLocale, options);

const relative = new Intl.RelativeTimeFormat(formatLocale, { numeric: 'auto' });

/** Each unit with its seconds, the largest first. */
const units = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const;

/** How long ago, or in how long: `3 hours ago`. */
export function agoText(at: Date, now = new Date()): string {
  const seconds = (at.getTime() - now.getTime()) / 1_000;
  const [unit, length] = units.find(([, one]) => Math.abs(seconds) >= one) ?? (['second', 1] as const);
  return relative.format(Math.trunc(seconds / length), unit);
}
