/**
 * Digests and compares client secrets. Secrets are random, so a keyed digest is enough (R-326, D-139). The key has its
 * own purpose; signing secrets are sealed instead.
 */
import type { SecretBox } from '../../base/secret-box.ts';
import type { Client } from './client.ts';

const purpose = 'client-secret';

/** What is stored of a secret. */
export const digestSecret = (box: SecretBox, secret: string): Buffer => box.digest(purpose, secret);

/** Whether this is the client's secret, or the previous one while that is valid (D-170). Takes constant time. */
export function secretMatches(
  box: SecretBox,
  client: Pick<Client, 'secret_digest' | 'previous_secret_digest' | 'previous_valid_until'>,
  secret: string,
  now: Date,
): boolean {
  const { secret_digest, previous_secret_digest, previous_valid_until } = client;
  const stillValid = previous_valid_until !== null && now < previous_valid_until;
  const digests = [secret_digest, stillValid ? previous_secret_digest : null];
  // Both digests are compared, so that the time does not reveal which one matched.
  const matches = digests.map((digest) => digest !== null && box.matches(purpose, secret, digest));
  return matches.includes(true);
}
