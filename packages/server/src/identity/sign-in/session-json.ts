/** Reads the bodies and writes the answers of `/session`. */
import { AppError } from '../../base/errors.ts';
import { isJsonObject, type JsonValue } from '../../base/input/json.ts';
import { rfc3339 } from '../../base/time/clock.ts';
import type { Person } from '../people/index.ts';
import { deviceWords, type SessionEntry } from '../sessions/index.ts';

/** The members of a body, which must be an object. Throws `invalid_request`. */
export function objectOf(body: JsonValue): Record<string, JsonValue | undefined> {
  if (!isJsonObject(body)) throw new AppError('invalid_request');
  return body;
}

export const personJson = ({ user_id, name }: Person): { user_id: string; name: string } => ({
  user_id,
  name,
});

/** A session as its owner sees it. */
export const sessionJson = (session: SessionEntry) => ({
  session_id: session.session_id,
  device: deviceWords(session),
  address: session.address,
  signed_in_at: rfc3339(session.signed_in_at),
  last_used_at: rfc3339(session.last_used_at),
  current: session.current,
});
