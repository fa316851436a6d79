import type { LogoProblem } from '@paydesk/contract';
import { type Clock, hours, later, minutes } from '../base/time/clock.ts';
import type { Database } from '../base/pg/index.ts';
import type { LiveCache } from '../base/live/live-cache.ts';
import {
  claimLogos,
  dropLogo,
  type Logo,
  type LogoSource,
  postponeLogo,
  selectLogo,
  storeLogo,
} from './logo.sql.ts';

/** The picture of a merchant, cached; null where there is none to show. */
export type FindLogo = (merchant_id: string) => Promise<Logo | null>;

/** Pictures held in memory at once, of at most 128 KB each. */
const maxCached = 200;

export function createFindLogo(db: Database, cache: LiveCache): FindLogo {
  return cache.keyed((merchant_id: string) => selectLogo(db, merchant_id), maxCached);
}

/** What came of fetching a picture. */
export type FetchedLogo =
  | { kind: 'picture'; logo: Logo }
  /** Its source answers with nothing that may be shown. */
  | { kind: 'refused'; problem: LogoProblem }
  /** Its source does not answer: that may pass. */
  | { kind: 'unreachable'; problem: LogoProblem };

export interface RefreshDeps {
  db: Database;
  cache: LiveCache;
  clock: Clock;
  fetchLogo: (source_url: string) => Promise<FetchedLogo>;
}

/** Pictures of one pass, all at once. */
const batch = 8;
/** Far longer than a fetch takes. */
const lease_ms = minutes(5);
/** How soon a picture is looked at again, and one that could not be had. */
const refresh_ms = hours(24);
const retry_ms = hours(1);

/**
 * Fetches the pictures that are new or were fetched a day ago. What an unreachable source once gave stays; what
 * it answers in place of a picture does not.
 *
 * @returns how many were due
 */
export async function refreshDueLogos(deps: RefreshDeps): Promise<number> {
  const { db, clock } = deps;
  const now = clock.now();
  const due = await db.transaction((tx) =>
    claimLogos(tx, { now, until: later(now, lease_ms), limit: batch }),
  );
  await Promise.all(due.map((source) => refresh(deps, source)));
  return due.length;
}

async function refresh({ db, cache, clock, fetchLogo }: RefreshDeps, source: LogoSource): Promise<void> {
  const fetched = await fetchLogo(source.source_url);
  const now = clock.now();
  await db.transaction(async (tx) => {
    switch (fetched.kind) {
      case 'picture':
        await storeLogo(tx, source, fetched.logo, later(now, refresh_ms));
        break;
      case 'refused':
        await dropLogo(tx, source, fetched.problem, later(now, retry_ms));
        break;
      case 'unreachable':
        await postponeLogo(tx, source, fetched.problem, later(now, retry_ms));
        return;
    }
    const content_hash = fetched.kind === 'picture' ? fetched.logo.content_hash : null;
    if (content_hash !== source.content_hash) await cache.announce(tx);
  });
}
