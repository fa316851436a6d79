/** Which findings stand after a check. Pure. */
import type { Finding, Scope, StandingFinding } from '../ledger/verification/index.ts';
import { merchantIdOf, platformBook } from '../base/ids.ts';

/** The identity of a finding: its words change with the amounts in them. */
export const keyOf = ({ kind, book, subject }: Finding): string => JSON.stringify([kind, book, subject]);

/** What a check has looked at, as far as findings that stand are concerned. */
export type Coverage = 'everything' | 'subjects of findings' | 'nothing certain';

/** Only a full check looks at all seals, and for rows that the audit log names and that are gone. */
const isOfFullCheck = ({ kind }: Finding): boolean => kind.startsWith('seal') || kind === 'row_missing';

/**
 * The findings that stand after a check. A finding goes only if the check looked at its subject again and did not find it.
 * It keeps the time at which it was found first.
 */
export function standingAfter(
  before: readonly StandingFinding[],
  found: readonly Finding[],
  { coverage, now }: { coverage: Coverage; now: Date },
): StandingFinding[] {
  const first = new Map<string, Date>();
  for (const one of before) {
    const known = first.get(keyOf(one));
    if (known === undefined || one.found_at < known) first.set(keyOf(one), one.found_at);
  }
  const again = new Set(found.map(keyOf));
  const stays = (one: Finding): boolean =>
    !again.has(keyOf(one)) &&
    (coverage === 'nothing certain' || (coverage === 'subjects of findings' && isOfFullCheck(one)));
  return [
    ...before.filter(stays),
    ...found.map((one) => ({ ...one, found_at: first.get(keyOf(one)) ?? now })),
  ];
}

/** The subjects of findings, to look at them again. */
export function scopeOf(findings: readonly Finding[]): NonNullable<Scope> {
  const pairs = new Map<string, [merchant_id: string, subject: string]>();
  for (const { book, subject } of findings) {
    const merchant_id = book === null ? platformBook : (merchantIdOf(book) ?? platformBook);
    pairs.set(`${merchant_id} ${subject}`, [merchant_id, subject]);
  }
  const found = [...pairs.values()];
  return {
    merchant_ids: found.map(([merchant_id]) => merchant_id),
    subjects: found.map(([, subject]) => subject),
  };
}
