/**
 * The library reads the local clock of its machine and takes no other. What it compares with that clock is therefore
 * told in the local time of this process, and what it tells others is told in the database's (docs/operating/clocks.md).
 */
import type { Clock } from '../../base/time/clock.ts';

const inSeconds = (ms: number): number => Math.floor(ms / 1_000);

/** The database's time in seconds since 1970, as tokens name it. */
export const epochOf = (at: Date): number => inSeconds(at.getTime());

/** How many seconds the database's time is ahead of the library's. */
export const libraryIsBehind_s = (clock: Clock): number =>
  // oxlint-disable-next-line paydesk/injected -- this is the clock that the library reads
  Math.round((clock.real().getTime() - Date.now()) / 1_000);

/** An instant of the database's time as the library's clock shows it, in seconds since 1970. */
export const inLibraryTime = (clock: Clock, at: Date): number => epochOf(at) - libraryIsBehind_s(clock);
