/**
 * What the net of a statement is made of: income, fees, returns, deposits, payouts (D-441, D-501), and tests (D-522).
 * Pure.
 */
import { statementParts } from '@paydesk/contract';
import { isPosting, ofTests, type Posting } from '../../ledger/books/index.ts';

export type StatementPart = (typeof statementParts)[number];

/** The part of each posting; null where money moves between the merchant's own accounts, or belongs to others. */
export const partOf: Readonly<Record<Posting, StatementPart | null>> = {
  ...{ P1: 'orders', P2: 'orders', P21: 'orders' },
  ...{ P4b: 'fees', P4d: 'fees' },
  ...{ P7: 'returns', P7p: 'returns', P8: 'returns', P9: 'returns', P22: 'returns' },
  ...{ P12x: 'deposits', P14i: 'deposits', P17: 'deposits', P20: 'deposits', P20i: 'deposits' },
  P13s: 'payouts',
  P18: 'other',
  ...{ P3: null, P4a: null, P4c: null, P6a: null, P6b: null, P12: null, P13: null, P13r: null, P16: null },
  ...{ P10: null, P10r: null, P10b: null, P11: null, P14: null, P19: null },
};

/** A part of a net, and by how much it changed the wallet. */
export interface Part {
  part: StatementPart;
  change: bigint;
}

/** The parts of a net that are not zero, in one order. What a newer version of the service posted is `other`. */
export function partsOf(by_posting: ReadonlyMap<string, bigint>): Part[] {
  const parts = new Map<StatementPart, bigint>();
  for (const [posting, change] of by_posting) {
    const known = posting === ofTests ? 'tests' : isPosting(posting) ? partOf[posting] : null;
    const part = known ?? 'other';
    parts.set(part, (parts.get(part) ?? 0n) + change);
  }
  return statementParts.flatMap((part) => {
    const change = parts.get(part) ?? 0n;
    return change === 0n ? [] : [{ part, change }];
  });
}
