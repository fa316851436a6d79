/**
 * Recognises devices that have signed in before. A cookie proves it: an id and, for each account, a keyed digest of the
 * id and the account. The server stores nothing. The cookie gives only a separate count of password guesses, and no
 * mail about a new device.
 */
import type { IdSource } from '../../base/ids.ts';
import type { SecretBox } from '../../base/secret-box.ts';

const purpose = 'known-device';
/** Accounts that one browser remembers. */
const maxAccounts = 4;

/** The id of a device that has signed in to this account before; null for every other one. */
export function knownDevice(box: SecretBox, cookie: string | null, account: string): string | null {
  const entry = entriesOf(cookie).find(({ id, proof }) =>
    box.matches(purpose, `${id}/${account}`, Buffer.from(proof, 'base64url')),
  );
  return entry?.id ?? null;
}

/** The cookie of a device that has just signed in; null if it is known already. */
export function rememberDevice(
  { box, ids }: { box: SecretBox; ids: IdSource },
  cookie: string | null,
  account: string,
): string | null {
  if (knownDevice(box, cookie, account) !== null) return null;
  const id = ids.secret(16);
  const proof = box.digest(purpose, `${id}/${account}`).toString('base64url');
  return [{ id, proof }, ...entriesOf(cookie)]
    .slice(0, maxAccounts)
    .map((entry) => `${entry.id}.${entry.proof}`)
    .join('~');
}

/** The well-formed entries of a cookie. */
function entriesOf(cookie: string | null): { id: string; proof: string }[] {
  return (cookie ?? '')
    .split('~')
    .slice(0, maxAccounts)
    .flatMap((text) => {
      const [, id, proof] = /^([\w-]{22})\.([\w-]{43})$/.exec(text) ?? [];
      return id === undefined || proof === undefined ? [] : [{ id, proof }];
    });
}
