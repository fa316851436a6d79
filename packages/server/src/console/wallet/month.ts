/** Months of statements: calendar months of UTC. Pure. */
import { AppError } from '../../base/errors.ts';

export interface Month {
  /** Such as `2026-10`. */
  month: string;
  from: Date;
  /** The end of the month, or now if it has not ended. */
  to: Date;
  complete: boolean;
}

const form = /^(\d{4})-(0[1-9]|1[0-2])$/;

/** The month with this name. Throws `not_found` if there is none, or it has not begun. */
export function monthOf(text: string, now: Date): Month {
  const [, year = '', month = ''] = form.exec(text) ?? [];
  const [from, end] = [Date.UTC(Number(year), Number(month) - 1), Date.UTC(Number(year), Number(month))];
  if (year === '' || from > now.getTime()) throw new AppError('not_found');
  const complete = end <= now.getTime();
  return { month: text, from: new Date(from), to: complete ? new Date(end) : now, complete };
}

/** The months from the one of `first` to the one of `now`, newest first; at most ten years. */
export function monthsSince(first: Date, now: Date): Month[] {
  const months: Month[] = [];
  let [year, month] = [now.getUTCFullYear(), now.getUTCMonth()];
  const last = first.getUTCFullYear() * 12 + first.getUTCMonth();
  while (year * 12 + month >= last && months.length < 120) {
    months.push(monthOf(`${String(year).padStart(4, '0')}-${String(month + 1).padStart(2, '0')}`, now));
    month--;
    if (month < 0) [year, month] = [year - 1, 11];
  }
  return months;
}
