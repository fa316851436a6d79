/** Downloads the logos of merchants, so that checkout pages load nothing from elsewhere. */
import type { LogoProblem } from '@paydesk/contract';
import { type Clock, hours, later, minutes } from '../base/time/clock.ts';
import type { Database } from '../base/pg/index.ts';
import type { LiveCache } from '../base/caches/live-cache.ts';
import {
  claimLogos,
  deleteLogo,
  type Logo,
  type LogoSource,
  postponeLogo,
  selectLogo,
  storeLogo,
} from './logo.sql.ts';

/** The logo of a merchant, cached; null where there is none. */
export type FindLogo = (merchant_id: string) => Promise<Logo | null>;

/** Maximum number of logos in memory, of at most 128 KB each. */
const maxCached = 200;

export function createFindLogo(db: Database, cache: LiveCache): FindLogo {
  return cache.keyed((merchant_id: string) => selectLogo(db, merchant_id), maxCached);
}

/** The result of a download. */
export type FetchedLogo =
  | { kind: 'picture'; logo: Logo }
  /** The source has no picture that may be shown. */
  | { kind: 'refused'; problem: LogoProblem }
  /** The source does not answer: it may answer later. */
  | { kind: 'unreachable'; problem: LogoProblem };

export interface RefreshDeps {
  db: Database;
  cache: LiveCache;
  clock: Clock;
  fetchLogo: (source_url: string) => Promise<FetchedLogo>;
}

/** Downloads of one pass, all at the same time. */
const batchSize = 8;
/** Much longer than a download takes. */
const lease_ms = minutes(5);
/** When a logo is downloaded again. */
const refresh_ms = hours(24);
/** When a failed download is tried again. */
const retry_ms = hours(1);

/**
 * Downloads the logos that are new or a day old. Where a source does not answer, its last logo stays. Where it
 * answers without an acceptable picture, the logo is deleted.
 *
 * @returns how many were due
 */
export async function refreshDueLogos(deps: RefreshDeps): Promise<number> {
  const { db, clock } = deps;
  const now = clock.now();
  const due = await claimLogos(db, { now, until: later(now, lease_ms), limit: batchSize });
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
        await deleteLogo(tx, source, fetched.problem, later(now, retry_ms));
        break;
      case 'unreachable':
        await postponeLogo(tx, source, fetched.problem, later(now, retry_ms));
        return;
    }
    const content_hash = fetched.kind === 'picture' ? fetched.logo.content_hash : null;
    if (content_hash !== source.content_hash) await cache.announce(tx);
  });
}
