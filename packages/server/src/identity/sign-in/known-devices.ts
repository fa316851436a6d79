/**
 * Recognises devices that have signed in before. A cookie proves it: an id and, for each account, the time and a keyed digest of
 * id, account and time. The server stores nothing. The cookie gives only a separate count of password guesses, and no
 * mail about a new device. A change of the password ends it: who knew the old one may have such cookies (D-1384).
 */
import { selectLastAct } from '../../base/audit/index.ts';
import type { IdSource } from '../../base/ids.ts';
import type { Queryable } from '../../base/pg/index.ts';
import type { SecretBox } from '../../base/secret-box.ts';
import type { Clock } from '../../base/time/clock.ts';
import { type Person, selectPersonByEmail } from '../people/index.ts';
import { accountKey } from './limits.ts';

const purpose = 'known-device';
/** Accounts that one browser remembers. */
const maxAccounts = 4;

interface DeviceDeps {
  db: Queryable;
  box: SecretBox;
}

/** The id of a device that has signed in to this account since its last password; null for every other one. */
export async function knownDevice(
  deps: DeviceDeps,
  cookie: string | null,
  email: string,
): Promise<string | null> {
  const entry = entryOf(deps.box, cookie, accountKey(email));
  const person = entry === undefined ? null : await selectPersonByEmail(deps.db, email);
  return entry === undefined || person === null || (await hasEnded(deps.db, entry, person)) ? null : entry.id;
}

/** The cookie of a device that has just signed in, or has set the password; null if it is known already. */
export async function rememberDevice(
  deps: DeviceDeps & { ids: IdSource; clock: Clock },
  cookie: string | null,
  person: Pick<Person, 'user_id' | 'email'>,
): Promise<string | null> {
  const { db, box, ids, clock } = deps;
  const account = accountKey(person.email);
  const before = entryOf(box, cookie, account);
  if (before !== undefined && !(await hasEnded(db, before, person))) return null;
  const entry = { id: ids.secret(16), since: clock.now().getTime().toString(36) };
  const proof = box.digest(purpose, provenBy(entry, account)).toString('base64url');
  const others = entriesOf(cookie).filter(({ id }) => id !== before?.id);
  return [{ ...entry, proof }, ...others]
    .slice(0, maxAccounts)
    .map(({ id, proof: shown, since }) => [id, shown, ...(since === '' ? [] : [since])].join('.'))
    .join('~');
}

/** The cookie of a device that has reset the password, if it was known before; null for every other one. */
export const rememberAgain = async (
  deps: Parameters<typeof rememberDevice>[0],
  cookie: string | null,
  person: Pick<Person, 'user_id' | 'email'>,
): Promise<string | null> =>
  entryOf(deps.box, cookie, accountKey(person.email)) === undefined
    ? null
    : rememberDevice(deps, cookie, person);

/** An entry of a cookie. `since` is in milliseconds, to the base 36; earlier releases wrote none. */
interface Entry {
  id: string;
  proof: string;
  since: string;
}

const provenBy = ({ id, since }: Omit<Entry, 'proof'>, account: string): string =>
  since === '' ? `${id}/${account}` : `${id}/${account}/${since}`;

const entryOf = (box: SecretBox, cookie: string | null, account: string): Entry | undefined =>
  entriesOf(cookie).find((entry) =>
    box.matches(purpose, provenBy(entry, account), Buffer.from(entry.proof, 'base64url')),
  );

/** Whether the password was changed after this. */
async function hasEnded(
  db: Queryable,
  { since }: Entry,
  { user_id }: Pick<Person, 'user_id'>,
): Promise<boolean> {
  const changes = await Promise.all(
    ['password.change', 'password.reset'].map((action) => selectLastAct(db, `user:${user_id}`, action)),
  );
  const known_at = since === '' ? 0 : Number.parseInt(since, 36);
  return changes.some((at) => at !== null && at.getTime() > known_at);
}

/** The well-formed entries of a cookie. */
function entriesOf(cookie: string | null): Entry[] {
  return (cookie ?? '')
    .split('~')
    .slice(0, maxAccounts)
    .flatMap((text) => {
      const [, id, proof, since = ''] = /^([\w-]{22})\.([\w-]{43})(?:\.([\da-z]{8,9}))?$/.exec(text) ?? [];
      return id === undefined || proof === undefined ? [] : [{ id, proof, since }];
    });
}
