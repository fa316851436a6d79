/** Reads the bodies and writes the answers of `/session`. */
import { AppError } from '../../base/errors.ts';
import { isJsonObject, type JsonValue } from '../../base/input/json.ts';
import type { Person } from '../people/index.ts';

/** The members of a body, which must be an object. Throws `invalid_request`. */
export function objectOf(body: JsonValue): Record<string, JsonValue | undefined> {
  if (!isJsonObject(body)) throw new AppError('invalid_request');
  return body;
}

export const personJson = ({ user_id, name }: Person): { user_id: string; name: string } => ({
  user_id,
  name,
});
