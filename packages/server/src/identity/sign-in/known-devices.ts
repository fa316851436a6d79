/**
 * Recognises devices that have signed in before. A cookie proves it: an id and, for each account, a keyed digest of the
 * id, the account and its password. The server stores nothing. The cookie gives only a separate count of password guesses, and no
 * mail about a new device. A change of the password ends it: who knew the former one may have such cookies (D-1384).
 */
import { selectLastAct } from '../../base/audit/index.ts';
import type { IdSource } from '../../base/ids.ts';
import type { Queryable } from '../../base/pg/index.ts';
import { type SecretBox, tokenHash } from '../../base/secret-box.ts';
import { type Person, selectPerson, selectPersonByEmail } from '../people/index.ts';
import { accountKey } from './limits.ts';

const purpose = 'known-device';
/** Accounts that one browser remembers. */
const maxAccounts = 4;

interface DeviceDeps {
  db: Queryable;
  box: SecretBox;
}

type RememberDeps = DeviceDeps & { ids: IdSource };

/** The id of a device that has signed in to this account since its last password; null for every other one. */
export async function knownDevice(
  deps: DeviceDeps,
  cookie: string | null,
  email: string,
): Promise<string | null> {
  if (entriesOf(cookie).length === 0) return null;
  return findDevice(deps, cookie, email, await selectPersonByEmail(deps.db, email));
}

/**
 * The cookie of a device that has just signed in; null if it is known already.
 *
 * @param person with the password of the sign-in: it may have been changed meanwhile
 */
export async function rememberDevice(
  deps: RememberDeps,
  cookie: string | null,
  person: Person,
): Promise<string | null> {
  if ((await findDevice(deps, cookie, person.email, person)) !== null) return null;
  const id = deps.ids.secret(16);
  const proof = deps.box.digest(purpose, provenBy(id, person)).toString('base64url');
  return [{ id, proof }, ...entriesOf(cookie)]
    .slice(0, maxAccounts)
    .map((entry) => `${entry.id}.${entry.proof}`)
    .join('~');
}

/** The cookie of a device that has just set the password. */
export async function rememberNewPassword(
  deps: RememberDeps,
  cookie: string | null,
  { user_id }: Pick<Person, 'user_id'>,
): Promise<string | null> {
  const person = await selectPerson(deps.db, user_id);
  return person === null ? null : rememberDevice(deps, cookie, person);
}

/**
 * The cookie of a device that has reset the password, if it was known before; null for every other one.
 *
 * @param before with the former password
 */
export const rememberAgain = async (
  deps: RememberDeps,
  cookie: string | null,
  before: Person,
): Promise<string | null> =>
  entryOf(deps.box, cookie, (id) => provenBy(id, before)) === undefined
    ? null
    : rememberNewPassword(deps, cookie, before);

async function findDevice(
  { db, box }: DeviceDeps,
  cookie: string | null,
  email: string,
  person: Person | null,
): Promise<string | null> {
  // An unknown account takes as long.
  const known = entryOf(box, cookie, (id) => provenBy(id, person ?? { email, password_hash: '' }));
  const former = entryOf(box, cookie, (id) => `${id}/${accountKey(email)}`);
  if (person === null) return null;
  if (known !== undefined || former === undefined) return known?.id ?? null;
  // Earlier releases left the password out: such a cookie counts until it is changed.
  const changes = await Promise.all(
    ['password.change', 'password.reset'].map((action) =>
      selectLastAct(db, `user:${person.user_id}`, action),
    ),
  );
  return changes.every((at) => at === null) ? former.id : null;
}

interface Entry {
  id: string;
  proof: string;
}

const provenBy = (id: string, { email, password_hash }: Pick<Person, 'email' | 'password_hash'>): string =>
  `${id}/${accountKey(email)}/${tokenHash(password_hash).toString('base64url')}`;

const entryOf = (box: SecretBox, cookie: string | null, proven: (id: string) => string): Entry | undefined =>
  entriesOf(cookie).find(({ id, proof }) =>
    box.matches(purpose, proven(id), Buffer.from(proof, 'base64url')),
  );

/** The well-formed entries of a cookie. */
function entriesOf(cookie: string | null): Entry[] {
  return (cookie ?? '')
    .split('~')
    .slice(0, maxAccounts)
    .flatMap((text) => {
      const [, id, proof] = /^([\w-]{22})\.([\w-]{43})$/.exec(text) ?? [];
      return id === undefined || proof === undefined ? [] : [{ id, proof }];
    });
}
