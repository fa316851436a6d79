/** The time zones by whose days figures are read. */
import { ApiError } from '../api/api-error.ts';

/** The viewer's time zone by its IANA name: the figures' days begin in this zone. */
export const timeZone = new Intl.DateTimeFormat('en').resolvedOptions().timeZone;

let used = timeZone;

/** The zone that stands for the viewer's, which the service does not know; null where it does (D-1401). */
export const otherZone = (): string | null => (used === timeZone ? null : used);

/**
 * Reads by the days of the viewer's zone. The service's Node.js may be older than a zone that the browser knows: then by
 * the days of a zone with the same distance from UTC, or of UTC (D-1401).
 */
export async function byOwnDays<T>(read: (time_zone: string) => Promise<T>): Promise<T> {
  try {
    return await read(used);
  } catch (error) {
    if (!(error instanceof ApiError && error.field === 'time_zone')) throw error;
    used = plainZone(new Date().getTimezoneOffset());
    return await read(used);
  }
}

/** A zone of full hours, which every system knows; else UTC. @param offset_min minutes from local time to UTC */
export const plainZone = (offset_min: number): string =>
  offset_min === 0 || offset_min % 60 !== 0
    ? 'UTC'
    : `Etc/GMT${offset_min > 0 ? '+' : ''}${String(offset_min / 60)}`;
