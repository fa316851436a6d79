/** The order's part of a dispute about a receipt that paid it, and of which a case holds the rest. */
import { maxOf, minOf } from '../../base/money.ts';
import type { CardDispute } from '../../channels/card/index.ts';
import type { Channel } from '../../channels/index.ts';
import { selectAttemptByTrade } from '../attempts/index.ts';
import { type PaymentCase, takenTo } from '../cases/index.ts';
import { finished, type HintResult, type PaymentDeps } from '../engine/index.ts';
import { dismissDispute, type SeenDispute, settleDispute } from '../disputes/index.ts';
import type { CaseAnswer } from './provider-answer.ts';

/**
 * Applies a dispute to the order, without what it takes of the rest (D-801). An open one is taken for what it would be
 * if it were lost. A lost one that has taken only of the rest ends its complaint of the order without a loss (D-842).
 *
 * @param held the case that holds the rest, or held it
 * @param answer what the dispute means for this case, or would mean if it were lost; null if the case is decided
 * @param is_final false while the rest may still bear a part of it
 */
export async function settleOrdersPart(
  deps: PaymentDeps,
  channel: Channel,
  held: PaymentCase,
  dispute: SeenDispute,
  answer: CaseAnswer | null,
  { is_final = true }: { is_final?: boolean } = {},
): Promise<HintResult> {
  const attempt = await selectAttemptByTrade(deps.db, channel.payment_no, held.provider_payment_id ?? '');
  if (attempt === null) return finished('no such payment');
  const amount = dispute.amount - amountOfRest(held, attempt.amount, dispute, answer);
  if (dispute.amount === 0n || amount > 0n)
    return settleDispute(deps, attempt, { ...dispute, amount }, { whole_amount: dispute.amount, is_final });
  // A part of it could have been the order's while it was open.
  if (dispute.status === 'lost') await dismissDispute(deps, attempt, dispute);
  return finished(`part of case ${held.case_id}`);
}

/** What a dispute takes of the rest, in minor units: what it has taken, or would take if it were lost. */
function amountOfRest(
  held: PaymentCase,
  paid: bigint,
  { id, currency }: CardDispute,
  answer: CaseAnswer | null,
): bigint {
  if (currency !== held.currency) return 0n;
  const rest = (held.amount ?? 0n) - paid;
  // A refund of the case that is under way delays what the case books, not what the order books.
  return minOf(maxOf(takenTo(held, id), takenBy(answer)), rest);
}

function takenBy(answer: CaseAnswer | null): bigint {
  switch (answer?.kind) {
    case 'returned':
      return answer.charged_back?.amount ?? 0n;
    case 'noted':
      return answer.lost?.amount ?? 0n;
    default:
      return 0n;
  }
}
