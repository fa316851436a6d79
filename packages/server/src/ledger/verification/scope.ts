/** What a check looks at: everything, or some subjects of some books. */
import { type Sql, sql } from '../../base/pg/index.ts';
import { merchantIdOf, merchantNo, platformBook } from '../../base/ids.ts';

/**
 * The subjects to check: pairs of a book and the number of an order, case, withdrawal, merchant, product or currency, or
 * the name of an account. Null for everything.
 */
export type Scope = { merchant_ids: readonly string[]; subjects: readonly string[] } | null;

/** The pairs of a scope as rows. */
export const pairsOf = ({ merchant_ids, subjects }: NonNullable<Scope>): Sql =>
  sql`unnest(${merchant_ids}::uuid[], ${subjects}::text[])`;

/** A condition that holds for the subjects of a scope. */
export const within = (scope: Scope, owner: Sql, subject: Sql): Sql =>
  scope === null ? sql`true` : sql`(${owner}, ${subject}) IN (SELECT * FROM ${pairsOf(scope)})`;

/** The merchants of a scope. */
export const merchantsWithin = (scope: Scope, merchant_id: Sql): Sql =>
  scope === null ? sql`true` : sql`${merchant_id} = ANY(${[...new Set(scope.merchant_ids)]}::uuid[])`;

/** The name of a subject in the audit log; null if the log has no entries about it. */
function targetOf(merchant_id: string, subject: string): string | null {
  const prefix = subject.slice(0, 3);
  if (prefix === 'mp_' || prefix === 'co_') return `order:${subject}`;
  if (prefix === 'ca_') return `case:${subject}`;
  if (prefix === 'wd_') return `withdrawal:${subject}`;
  if (prefix === 'mr_') return `merchant:${subject}`;
  if (prefix === 'gd_') return `product:${merchantNo(merchant_id)}/${subject}`;
  return /^[A-Z]{3,}$/.test(subject) ? `currency:${subject}` : null;
}

/** The targets of a scope's subjects in the audit log. */
export const targetsOf = ({ merchant_ids, subjects }: NonNullable<Scope>): string[] =>
  subjects.flatMap((subject, i) => targetOf(merchant_ids[i] ?? '', subject) ?? []);

/** The subject that an entry of the audit log is about, without the book where the target does not name it. */
export function subjectOfTarget(target: string): { merchant_id: string | null; subject: string } | null {
  const [, kind = '', name = ''] = /^(\w+):(.+)$/.exec(target) ?? [];
  if (kind === 'merchant') return { merchant_id: merchantIdOf(name), subject: name };
  if (kind === 'currency') return { merchant_id: platformBook, subject: name };
  if (kind === 'product' && name.includes('/')) {
    const [merchant_no = '', subject = ''] = name.split('/');
    return { merchant_id: merchantIdOf(merchant_no), subject };
  }
  return ['order', 'case', 'complaint'].includes(kind) ? { merchant_id: null, subject: name } : null;
}

/** The account of a finding, or null if it is about something else. */
export const isAccount = (subject: string): boolean => /^(?:m:|susp:|user:)/.test(subject);
