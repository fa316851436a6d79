import { type Clock, days, later } from '../../base/time/clock.ts';
import type { Database } from '../../base/pg/index.ts';
import type { IdSource } from '../../base/ids.ts';
import { tokenHash } from '../../base/secret-box.ts';
import { deleteExpiredOneTime } from '../one-time-tokens/index.ts';
import type { SignedIn } from '../people/index.ts';
import {
  deleteExpiredSessions,
  deleteSession,
  deleteSessionsOf,
  insertSession,
  prolongSession,
  selectSession,
  selectSessionsOf,
} from './session.sql.ts';

/** How long a session lives without being used; real time. */
const sessionLife_ms = days(14);
/** So much of what a browser calls itself is kept, to tell sessions apart. */
const longestAgent = 200;
/** A session is prolonged once it is older than this: one write a day, not one a request. */
const prolongAfter_ms = days(1);

/**
 * Sessions of signed-in people. A token is 256 random bits, of which only the SHA-256 is stored; nothing about them
 * is cached, so that signing out holds everywhere at once (H-18).
 */
export interface Sessions {
  /** Begins a session and ends the one that was there before: a token from before signing in is worth nothing. */
  begin(user_id: string, from: { agent: string; previous: string | null }): Promise<string>;
  /** Whose session this is; null where there is none, or no more. Using it keeps it alive. */
  userOf(token: string | null): Promise<SignedIn | null>;
  end(token: string | null): Promise<void>;
  /** The sessions of a person, the latest first. */
  listOf(user_id: string, token: string | null): Promise<SessionEntry[]>;
  /** Ends all sessions of a person but the one with this token. */
  endOthers(user_id: string, token: string): Promise<void>;
}

/** A session as its owner sees it. */
export interface SessionEntry {
  agent: string;
  since: Date;
  /** Whether it is the one that asks. */
  current: boolean;
}

export interface SessionDeps {
  db: Database;
  clock: Clock;
  ids: IdSource;
}

export function createSessions({ db, clock, ids }: SessionDeps): Sessions {
  return {
    async begin(user_id, { agent, previous }) {
      const token = ids.secret(32);
      const created_at = clock.real();
      const session = {
        token_hash: tokenHash(token),
        user_id,
        agent: agent.slice(0, longestAgent),
        created_at,
        expires_at: later(created_at, sessionLife_ms),
      };
      await db.transaction(async (tx) => {
        if (isToken(previous)) await deleteSession(tx, tokenHash(previous));
        await insertSession(tx, session);
      });
      return token;
    },
    async userOf(token) {
      if (!isToken(token)) return null;
      const now = clock.real();
      const found = await selectSession(db.lookups, tokenHash(token), now);
      if (found === null) return null;
      const { created_at, expires_at, ...user } = found;
      const prolonged = later(now, sessionLife_ms);
      if (prolonged.getTime() - expires_at.getTime() > prolongAfter_ms) {
        await prolongSession(db, tokenHash(token), prolonged);
      }
      return { ...user, signed_in_at: created_at };
    },
    async end(token) {
      if (isToken(token)) await deleteSession(db, tokenHash(token));
    },
    async listOf(user_id, token) {
      const own = token === null ? null : tokenHash(token);
      const rows = await selectSessionsOf(db, user_id, clock.real());
      return rows.map(({ agent, created_at, token_hash }) => ({
        agent,
        since: created_at,
        current: own?.equals(token_hash) ?? false,
      }));
    },
    async endOthers(user_id, token) {
      await deleteSessionsOf(db, user_id, tokenHash(token));
    },
  };
}

/** Whether it can be a token of ours at all: 256 bits in base64url. */
const isToken = (text: string | null): text is string => text !== null && /^[\w-]{43}$/.test(text);

/** Removes sessions and one-time tokens whose time is over, a batch at a time; says how many. Safe at any time. */
export async function purgeExpiredSessions(
  { db, clock }: Pick<SessionDeps, 'db' | 'clock'>,
  limit = 1_000,
): Promise<number> {
  const now = clock.real();
  return (await deleteExpiredSessions(db, now, limit)) + (await deleteExpiredOneTime(db, now, limit));
}

/** Where a request comes from. */
export interface From {
  address: string;
  /** What the browser calls itself. */
  agent: string;
  /** The session token that the browser had before, which ends. */
  previous: string | null;
}
