/** Which refunds and disputes a case has told a person of. */
import type { CardDispute, CardRefund } from '../../channels/card/index.ts';
import type { Attempt } from '../attempts/index.ts';
import { hasCase, isPaidBack, type PaymentCase, takenTo } from '../cases/index.ts';
import type { PaymentDeps } from '../engine/index.ts';

/**
 * Whether a case tells, or told before it was closed, of a refund or a dispute that contradicts the books (D-850). Only what no
 * case tells is a difference (D-872, D-875).
 */
export const isToldByCase = (
  { db }: PaymentDeps,
  { merchant_id }: Pick<Attempt, 'merchant_id'>,
  { id }: Pick<CardRefund | CardDispute, 'id'>,
): Promise<boolean> => hasCase(db, { merchant_id, kind: 'mismatch', dedupe_key: id });

/** Whether money that was paid back has gone back at the provider as well, and no case tells it (D-696). */
export const isToldByNoCase = async (
  deps: PaymentDeps,
  held: PaymentCase,
  seen: CardRefund | CardDispute,
): Promise<boolean> =>
  isPaidBack(held) && takenTo(held, seen.id) === 0n && !(await isToldByCase(deps, held, seen));
