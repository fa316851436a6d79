/** The range of days that the sales are shown for. Its values are parameters of the page's address. */
import type { View } from '../../components/list/view-state.ts';

export const presets = ['7', '30', '90'] as const;
export type Preset = (typeof presets)[number] | 'custom';

/** The days as the service reads them, both included. */
export interface Range {
  from: string;
  until: string;
}

const isDay = (text: string | undefined): text is string =>
  text !== undefined && /^\d{4}-\d\d-\d\d$/.test(text);

/** The chosen range: thirty days unless the address says otherwise. */
export function presetOf({ days, from, until }: View): Preset {
  if (isDay(from) && isDay(until)) return 'custom';
  return presets.find((preset) => preset === days) ?? '30';
}

/** The first and the last day. `today` is the viewer's date. */
export function rangeOf(view: View, today: string): Range {
  const { from, until } = view;
  if (isDay(from) && isDay(until)) return { from, until };
  return { from: dayBefore(today, Number(presetOf(view)) - 1), until: today };
}

/** The date so many days before a date. */
export function dayBefore(day: string, count: number): string {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  return new Date(Date.UTC(year, month - 1, date - count)).toISOString().slice(0, 10);
}

/** A date of the viewer's calendar. */
export function dayOf(at: Date): string {
  const two = (value: number): string => String(value).padStart(2, '0');
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
}
