/** Sessions of signed-in people: begin, read, end, list and purge. */
import { type Clock, days, later } from '../../base/time/clock.ts';
import type { Database } from '../../base/pg/index.ts';
import type { IdSource } from '../../base/ids.ts';
import { tokenHash } from '../../base/secret-box.ts';
import { deleteExpiredOneTimeTokens } from '../one-time-tokens/index.ts';
import type { SignedInUser } from '../people/index.ts';
import {
  deleteExpiredSessions,
  deleteSession,
  deleteSessionsOf,
  insertSession,
  extendSession,
  selectSession,
  selectSessionsOf,
} from './session.sql.ts';

/** How long a session lives after its last use; real time. */
const sessionLife_ms = days(14);
/** Length of the stored `User-Agent`, in characters. */
const maxAgentLength = 200;
/** A use extends a session only after this time, so that there is one write a day and not one a request. */
const extendAfter_ms = days(1);

/**
 * Sessions of signed-in people. Invariant: a token is 256 random bits and only its SHA-256 is stored; every request
 * reads its session from the database, so that signing out takes effect in all processes at once (H-18).
 */
export interface Sessions {
  /**
   * Begins a session and ends the one that the browser had before, so that no token from before stays valid (H-18).
   *
   * @returns the token
   */
  begin(user_id: string, browser: { agent: string; previous: string | null }): Promise<string>;
  /** The person of a session; null where the token is missing, unknown or expired. A use extends the session. */
  userOf(token: string | null): Promise<SignedInUser | null>;
  /** Ends a session; does nothing where there is none. */
  end(token: string | null): Promise<void>;
  /** The sessions of a person, newest first. */
  listOf(user_id: string, token: string | null): Promise<SessionEntry[]>;
  /** Ends all sessions of a person except the one with this token. */
  endOthers(user_id: string, token: string): Promise<void>;
}

/** A session as its owner sees it. */
export interface SessionEntry {
  agent: string;
  since: Date;
  /** Whether the request came with this session. */
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
        agent: agent.slice(0, maxAgentLength),
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
      const extended = later(now, sessionLife_ms);
      if (extended.getTime() - expires_at.getTime() > extendAfter_ms) {
        await extendSession(db, tokenHash(token), extended);
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

/** Whether a text has the form of our tokens: 256 bits in base64url. */
const isToken = (text: string | null): text is string => text !== null && /^[\w-]{43}$/.test(text);

/** Deletes a batch of expired sessions and one-time tokens; returns how many. Several workers may call it at once. */
export async function purgeExpiredSessions(
  { db, clock }: Pick<SessionDeps, 'db' | 'clock'>,
  limit = 1_000,
): Promise<number> {
  const now = clock.real();
  return (await deleteExpiredSessions(db, now, limit)) + (await deleteExpiredOneTimeTokens(db, now, limit));
}

/** The browser that sends a request. */
export interface Browser {
  address: string;
  /** Its `User-Agent`. */
  agent: string;
  /** The session token that it had before, which ends. */
  previous: string | null;
  /** The cookie that proves that it has signed in before. */
  device: string | null;
}
