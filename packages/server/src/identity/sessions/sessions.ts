/** Sessions of signed-in people: begin, read, prove, end, list and purge. */
import { createHash } from 'node:crypto';
import { originNow } from '../../base/audit/index.ts';
import { AppError } from '../../base/errors.ts';
import type { Clock } from '../../base/time/clock.ts';
import type { Database, Queryable } from '../../base/pg/index.ts';
import type { IdSource } from '../../base/ids.ts';
import { tokenHash } from '../../base/secret-box.ts';
import { deleteExpiredOneTimeTokens } from '../one-time-tokens/index.ts';
import { factorSince, selectPasskey } from '../factors/index.ts';
import {
  demandUnchanged,
  lockPerson,
  platformRoleOf,
  type SessionUser,
  type SignedInUser,
} from '../people/index.ts';
import { deviceOf, type Device } from './device.ts';
import type { SessionUse } from './session-use.ts';
import { endOfSession, isUseNoted, lastUseBefore, type SessionTimes } from './session-life.ts';
import {
  deleteExpiredSessions,
  deleteSession,
  deleteSessionsOf,
  insertSession,
  isSessionOf,
  selectSession,
  selectSessionsOf,
  type SessionRow,
  updateSessionProof,
  updateSessionUse,
} from './session.sql.ts';

/** Length of the stored `User-Agent`, in characters. */
const maxAgentLength = 200;

/**
 * Sessions of signed-in people. Invariant: a token is 256 random bits and only its SHA-256 is stored; every request
 * reads its session from the database, so that signing out and disabling a person take effect in all processes at once
 * (H-18).
 */
export interface Sessions {
  /**
   * Begins a session and ends the one that the browser had before, so that no token from before stays valid (H-18).
   * Signing in is a proof of presence. A sign-in that was under way when the password was changed begins none, nor does one
   * by the password alone when a second factor was set up, or by a passkey that was removed (D-1101).
   *
   * @param user with the `password_hash` whose password was right, if one was asked for
   * @returns the token
   * @throws AppError as `demandUnchanged`
   */
  begin(user: Beginner, browser: SessionBrowser): Promise<string>;
  /**
   * Gives a browser another token for its session, which is then a proof of presence too.
   *
   * @returns the token
   * @throws AppError `authentication_required` if the session has ended meanwhile
   */
  renew(user: Pick<SessionUser, 'user_id' | 'role'>, browser: SessionBrowser): Promise<string>;
  /**
   * The person of a session; null where the token is missing, unknown or expired. A use extends the session.
   *
   * @param use a person's, unless it says otherwise
   */
  userOf(token: string | null, use?: SessionUse): Promise<SignedInUser | null>;
  /**
   * Whether a session is still this person's. It waits for a change of the password and for the disabling of the account,
   * so what was stored before it is either deleted by them, or known to it.
   */
  isStill(token: string | null, user_id: string): Promise<boolean>;
  /** Stores that the person of a session has just proved to be present; returns when. */
  prove(token: string | null): Promise<Date>;
  /** Ends a session; does nothing where there is none. */
  end(token: string | null): Promise<void>;
  /** The sessions of a person, newest first; at most 100. */
  listOf(user: Pick<SessionUser, 'user_id' | 'role'>, token: string | null): Promise<SessionEntry[]>;
  /** Ends one of a person's sessions. Returns what it was; null where the person has no such session. */
  endOne(
    user: Pick<SessionUser, 'user_id' | 'role'>,
    session_id: string,
    token: string | null,
  ): Promise<SessionEntry | null>;
  /** Ends all sessions of a person except the one with this token. */
  endOthers(user_id: string, token: string): Promise<void>;
}

/** A session as its owner sees it. */
export interface SessionEntry extends Device {
  /** Names the session. It is made of the stored hash and gives no access. */
  session_id: string;
  /** The network address of the sign-in; empty where it is not known. */
  address: string;
  signed_in_at: Date;
  last_used_at: Date;
  /** Whether the request came with this session. */
  current: boolean;
}

type Beginner = Pick<SessionUser, 'user_id' | 'role'> & {
  password_hash?: string;
  /** The person had no second factor when the password was right: the sign-in is refused if one is set up meanwhile. */
  by_password_alone?: boolean;
  /** The id of the passkey that was used. */
  passkey?: string | undefined;
};

export interface SessionDeps {
  db: Database;
  clock: Clock;
  ids: IdSource;
  /** Whether platform staff need a second factor. */
  staff_factor_required: boolean;
}

export function createSessions(deps: SessionDeps): Sessions {
  const { db, clock, staff_factor_required } = deps;

  async function entriesOf(
    { user_id, role }: Pick<SessionUser, 'user_id' | 'role'>,
    token: string | null,
  ): Promise<{ hash: Buffer; entry: SessionEntry }[]> {
    const now = clock.real();
    const rows = await selectSessionsOf(db, user_id, now);
    const own = token === null ? null : tokenHash(token);
    return rows
      .filter((row) => endOfSession(role, timesOf(row)) > now)
      .map((row) => ({
        hash: row.token_hash,
        entry: { ...entryOf(row), current: own?.equals(row.token_hash) ?? false },
      }));
  }

  return {
    begin: (user, browser) => storeSession(deps, user, browser, false),
    renew: (user, browser) => storeSession(deps, user, browser, true),
    async userOf(token, use = { extends: true }) {
      if (!isToken(token)) return null;
      const now = clock.real();
      const found = await selectSession(db.lookups, tokenHash(token), now);
      if (found === null) return null;
      const { user_id, name, email, role, created_at, proved_at } = found;
      const times = timesOf(found);
      if (endOfSession(role, times) <= now) return null;
      const needsFactor = staff_factor_required && platformRoleOf(role) !== null;
      const since = needsFactor ? await factorSince(db.lookups, user_id) : null;
      // It began with the password alone, perhaps a thief's (D-1001).
      if (since !== null && created_at < since) return null;
      if (use.extends && isUseNoted(role, times, now)) {
        const expires_at = endOfSession(role, { created_at, last_used_at: now });
        await updateSessionUse(db, tokenHash(token), { last_used_at: now, expires_at });
      }
      const proof = { signed_in_at: created_at, proved_at: proved_at ?? created_at };
      return { user_id, name, email, role, ...proof, must_enrol: needsFactor && since === null };
    },
    async isStill(token, user_id) {
      if (!isToken(token)) return false;
      return db.transaction(async (tx) => {
        await lockPerson(tx, user_id);
        return (await selectSession(tx, tokenHash(token), clock.real()))?.user_id === user_id;
      });
    },
    async prove(token) {
      const now = clock.real();
      if (isToken(token)) await updateSessionProof(db, tokenHash(token), now);
      return now;
    },
    async end(token) {
      if (isToken(token)) await deleteSession(db, tokenHash(token));
    },
    async listOf(user, token) {
      return (await entriesOf(user, token)).map(({ entry }) => entry);
    },
    async endOne(user, session_id, token) {
      const found = (await entriesOf(user, token)).find(({ entry }) => entry.session_id === session_id);
      if (found === undefined) return null;
      await db.transaction(async (tx) => {
        await lockPerson(tx, user.user_id);
        await deleteSession(tx, found.hash);
      });
      return found.entry;
    },
    async endOthers(user_id, token) {
      await db.transaction(async (tx) => {
        await lockPerson(tx, user_id);
        await deleteSessionsOf(tx, user_id, tokenHash(token));
      });
    },
  };
}

/** Stores a session in the place of the one that the browser had; returns the token. */
async function storeSession(
  { db, clock, ids }: Omit<SessionDeps, 'staff_factor_required'>,
  { user_id, role, password_hash, by_password_alone = false, passkey }: Beginner,
  { agent, address, previous }: SessionBrowser,
  needsPrevious: boolean,
): Promise<string> {
  const token = ids.secret(32);
  const now = clock.real();
  const session = {
    token_hash: tokenHash(token),
    user_id,
    agent: agent.slice(0, maxAgentLength),
    address,
    created_at: now,
    last_used_at: now,
    proved_at: now,
    expires_at: endOfSession(role, { created_at: now, last_used_at: now }),
  };
  await db.transaction(async (tx) => {
    await demandUnchanged(tx, { user_id, ...(password_hash === undefined ? {} : { password_hash }) });
    if (by_password_alone && (await factorSince(tx, user_id)) !== null) {
      throw new AppError('authentication_required');
    }
    if (passkey !== undefined && (await selectPasskey(tx, passkey)) === null) {
      throw new AppError('authentication_required');
    }
    const hadPrevious = isToken(previous) && (await deleteSession(tx, tokenHash(previous)));
    if (needsPrevious && !hadPrevious) throw new AppError('authentication_required');
    await insertSession(tx, session);
  });
  return token;
}

const timesOf = (row: Pick<SessionRow, 'created_at' | 'last_used_at' | 'expires_at'>): SessionTimes => ({
  created_at: row.created_at,
  last_used_at: row.last_used_at ?? lastUseBefore(row.expires_at),
});

const entryOf = (row: SessionRow): Omit<SessionEntry, 'current'> => ({
  session_id: idOf(row.token_hash),
  ...deviceOf(row.agent),
  address: row.address ?? '',
  signed_in_at: row.created_at,
  last_used_at: timesOf(row).last_used_at,
});

const idOf = (token_hash: Buffer): string =>
  createHash('sha256').update('session-id').update(token_hash).digest('base64url').slice(0, 22);

/** Names the session of a token, as the list of sessions does. It gives no access. Null where the text is not a token. */
export const sessionIdOf = (token: string | null): string | null =>
  isToken(token) ? idOf(tokenHash(token)) : null;

/** What is stored of a token. Null where the text is not a token. */
export const sessionHashOf = (token: string | null): Buffer | null =>
  isToken(token) ? tokenHash(token) : null;

/**
 * Refuses a write whose session has ended while the write waited (D-1086). Under the person's lock, only a sign-out ends it
 * between this and the commit. A write by a key or a command has no session.
 *
 * @param actor who writes, as the audit log names them
 * @throws AppError `authentication_required`
 */
export async function demandSession(db: Queryable, actor: string): Promise<void> {
  const hash = originNow()?.session_hash() ?? null;
  if (hash === null || !actor.startsWith('user:')) return;
  if (!(await isSessionOf(db, actor.slice('user:'.length), hash)))
    throw new AppError('authentication_required');
}

/** Whether a text has the form of our tokens: 256 bits in base64url. */
const isToken = (text: string | null): text is string => text !== null && /^[\w-]{43}$/.test(text);

/** Maximum number of rows of a table in one batch. */
const purgeBatch = 1_000;

/** Deletes a batch of expired sessions and one-time tokens; returns how many. Several workers may call it at once. */
export async function purgeExpiredSessions({
  db,
  clock,
}: Pick<SessionDeps, 'db' | 'clock'>): Promise<number> {
  const now = clock.real();
  const sessions = await deleteExpiredSessions(db, now, purgeBatch);
  return sessions + (await deleteExpiredOneTimeTokens(db, now, purgeBatch));
}

/** What a session keeps of the browser that began it. */
export type SessionBrowser = Pick<Browser, 'address' | 'agent' | 'previous'>;

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
