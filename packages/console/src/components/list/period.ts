/**
 * The time span that a list shows: a preset, which moves with the day, or dates. Days are those of the viewer's zone, and the
 * address keeps the choice (D-323).
 */
import type { View } from './view-state.ts';

export const presets = ['today', 'last-7-days', 'last-30-days', 'this-month', 'last-month'] as const;
export type Preset = (typeof presets)[number];

/** The names of the address's parameters. */
export const periodNames = ['period', 'from', 'until'] as const;

const dayPattern = /^\d{4}-\d\d-\d\d$/;

/** The instants of the span that an address names: `from` (included) and `to` (excluded). */
export function spanOf(view: View, now = new Date()): { from: string | undefined; to: string | undefined } {
  const preset = presets.find((one) => one === view.period);
  if (preset !== undefined) return presetSpan(preset, now);
  return { from: startOf(view.from, 0), to: startOf(view.until, 1) };
}

function presetSpan(preset: Preset, now: Date): { from: string; to: string } {
  const [year, month, day] = [now.getFullYear(), now.getMonth(), now.getDate()];
  const between = (from: Date, to: Date) => ({ from: from.toISOString(), to: to.toISOString() });
  const tomorrow = new Date(year, month, day + 1);
  if (preset === 'this-month') return between(new Date(year, month, 1), tomorrow);
  if (preset === 'last-month') return between(new Date(year, month - 1, 1), new Date(year, month, 1));
  const length = { today: 1, 'last-7-days': 7, 'last-30-days': 30 }[preset];
  return between(new Date(year, month, day + 1 - length), tomorrow);
}

/** The instant at which a day begins, or a day so much later. */
function startOf(day: string | undefined, later: number): string | undefined {
  if (day === undefined || !dayPattern.test(day)) return undefined;
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  return new Date(year, month - 1, date + later).toISOString();
}
