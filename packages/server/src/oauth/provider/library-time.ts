/**
 * Converts times for the library, which can only read the local clock of its machine. Times that it compares with that
 * clock are in the local time of this process. Times that it tells others are in the database's time
 * (docs/operating/clocks.md).
 */
import type { Clock } from '../../base/time/clock.ts';

const inSeconds = (ms: number): number => Math.floor(ms / 1_000);

/** The database's time in seconds since 1970, as tokens name it. */
export const epochOf = (at: Date): number => inSeconds(at.getTime());

/** How many seconds the database's time is ahead of the library's. */
export const libraryIsBehind_s = (clock: Clock): number =>
  // oxlint-disable-next-line paydesk/injected -- this is the clock that the library reads
  Math.round((clock.real().getTime() - Date.now()) / 1_000);

/** The instant of the database's time that the library's clock shows as these seconds since 1970. */
export const fromLibraryTime = (clock: Clock, shown_s: number): Date =>
  new Date((shown_s + libraryIsBehind_s(clock)) * 1_000);

/** An instant of the database's time as the library's clock shows it, in seconds since 1970. */
export const inLibraryTime = (clock: Clock, at: Date): number => epochOf(at) - libraryIsBehind_s(clock);
