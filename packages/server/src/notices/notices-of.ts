/** Decides who is told of an act, from its entry in the audit log. Pure: it looks nothing up. */
import { isDeepStrictEqual } from 'node:util';
import type { NoticeKind } from '../identity/mail/index.ts';

/** The members of an entry that count here, as the stream of the audit trail has them. */
export interface Entry {
  audit_id: string;
  at: string;
  actor: string;
  action: string;
  target: string;
  before: unknown;
  after: unknown;
  address: string | null;
}

/** Something to tell. It goes to the person, if one is named, and to every owner of the merchant, if one is named. */
export interface Told {
  kind: NoticeKind;
  /** The id of the person. */
  person?: string;
  merchant_no?: string;
  /** The client whose merchant's owners are told. */
  client_id?: string;
  /** The person whom it is about, if the recipients may be others. */
  about?: string;
  /** What the text of the mail names. */
  detail: Record<string, string>;
}

/** What to tell of an entry; usually nothing. */
export function noticesOf(entry: Entry): Told[] {
  const { action, target, actor } = entry;
  const [before, after] = [membersOf(entry.before), membersOf(entry.after)];
  const person = idIn(target, 'user:');
  switch (action) {
    case 'session.sign-in':
      if (person === null || after.new_device !== true) return [];
      return [{ kind: 'new_device', person, detail: { device: textOf(after.device) } }];
    case 'factor.add':
    case 'factor.remove': {
      const kind = action === 'factor.add' ? 'factor_added' : 'factor_removed';
      return person === null ? [] : [{ kind, person, detail: { factor: textOf(after.factor) } }];
    }
    case 'user.remove-factors':
      if (person === null || after.removed === 0) return [];
      return [{ kind: 'factor_removed', person, detail: { factor: 'all' } }];
    case 'user.change':
      if (person === null || before.role === after.role) return [];
      return [{ kind: 'role_given', person, about: person, detail: { role: textOf(after.role) } }];
    case 'member.add':
    case 'member.accept':
    case 'member.change':
      return ofMember(target, before, after);
    case 'merchant.change':
      if (before.owner_user_id === after.owner_user_id) return [];
      return ofMember(target, {}, { user_id: after.owner_user_id, role: 'owner' });
    case 'secret.show':
      return ofSecret(target, actor, textOf(after.secret));
    case 'client.set-keys':
      // A secret that replaces the keys is shown, which is told. A program may send the same keys again (D-1383).
      if (after.jwks === null || isDeepStrictEqual(before.jwks, after.jwks)) return [];
      return ofSecret(target, actor, 'client_keys');
    case 'statement_export.create':
    case 'statement_export.change':
      return before.url === after.url ? [] : ofExport(actor, after);
    default:
      return [];
  }
}

/** The other owners get mail about a new owner, so that none can be added unnoticed. */
function ofMember(target: string, before: Members, after: Members): Told[] {
  const merchant_no = idIn(target, 'merchant:');
  const [about, role] = [textOf(after.user_id), textOf(after.role)];
  if (merchant_no === null || about === '' || before.role === role) return [];
  const kind = role === 'owner' ? 'owner_added' : 'role_given';
  return [{ kind, person: about, merchant_no, about, detail: { role } }];
}

/** Keys give the same access as a secret (D-1340). */
function ofSecret(target: string, actor: string, secret: string): Told[] {
  if (!['client_secret', 'client_keys', 'notification_secret'].includes(secret)) return [];
  const merchant_no = idIn(target, 'merchant:');
  const client_id = idIn(target, 'client:');
  const person = idIn(actor, 'user:');
  return [
    {
      kind: 'secret_changed',
      ...(merchant_no === null ? {} : { merchant_no }),
      ...(client_id === null ? {} : { client_id }),
      ...(person === null ? {} : { person }),
      detail: { secret, ...(client_id === null ? {} : { client_id }) },
    },
  ];
}

/** Another address gets the statements of a merchant (D-1342). The host alone: the rest of an address may be secret. */
function ofExport(actor: string, { url, merchant_no }: Members): Told[] {
  if (typeof url !== 'string' || typeof merchant_no !== 'string' || !URL.canParse(url)) return [];
  const person = idIn(actor, 'user:');
  const detail = { secret: 'export_secret', receiver: new URL(url).host };
  return [{ kind: 'secret_changed', merchant_no, ...(person === null ? {} : { person }), detail }];
}

type Members = Readonly<Record<string, unknown>>;

const membersOf = (value: unknown): Members =>
  typeof value === 'object' && value !== null ? (value as Members) : {};
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
const idIn = (text: string, prefix: string): string | null =>
  text.startsWith(prefix) ? text.slice(prefix.length) : null;
