import { zoneDays } from '../time/zone-days.ts';
import { type Sql, sql } from './sql.ts';

/** A time that is read by days of a zone. */
export interface DaysOfZone {
  since: Date;
  until: Date;
  /** Its IANA name, as Node.js knows it. */
  time_zone: string;
}

/**
 * The date, such as 2026-03-02, of a time within a span; times after it count as of its last day. PostgreSQL gets the
 * instants at which the days begin, and no name of a zone: it may not know those that browsers and Node.js use, such as
 * Asia/Calcutta (D-1301).
 *
 * @param at of type `timestamptz`
 */
export function dayIn(at: Sql, { since, until, time_zone }: DaysOfZone): Sql {
  const days = zoneDays(since, until, time_zone);
  const starts = sql`${days.map(({ start }) => start)}::timestamptz[]`;
  return sql`(${days.map(({ day }) => day)}::text[])[width_bucket(${at}, ${starts})]`;
}
