/** Puts what only the provider has into the restored books, or lists it for a person. */
import { AppError } from '../base/errors.ts';
import { platformBook } from '../base/ids.ts';
import { isUniqueViolation } from '../base/pg/index.ts';
import { runAudited } from '../base/audit/index.ts';
import { caseJson } from '../admin/cases/case-json.ts';
import { isCatalogOrderNo, recoverCatalogOrder, selectCatalogOrderByNo } from '../catalog/orders/index.ts';
import type { CardSession, ListedSession } from '../channels/card/index.ts';
import type { Channel } from '../channels/index.ts';
import { recoverOrder } from '../collection/creating/index.ts';
import type { CollectionDeps } from '../collection/orders/index.ts';
import { selectMerchant } from '../merchants/index.ts';
import { findAttempt, followAttempt, type SessionHint } from '../payments/card/index.ts';
import { selectCaseByKey, selectCaseByPayment } from '../payments/cases/index.ts';
import { followDispute, followEarlierLosses, followRefunds } from '../payments/following/index.ts';
import { keepUnmatchedReceipt } from '../payments/unmatched/index.ts';
import { askBeforeResolving, resolveCase } from '../payments/decisions/index.ts';
import type { PaymentDeps } from '../payments/engine/index.ts';
import type { Difference, ProviderRecords } from '../payments/reconciliation/index.ts';
import { deliveryFor, type Instructions, instructionsFor } from './what-to-do.ts';

/**
 * What was done about a difference. `settled`: its attempt was known, and the payment settled the order. `adopted`: the
 * order that it names is paid. `followed`: a refund or a dispute was applied. `listed`: a person must decide.
 */
export interface Handled extends Difference {
  verdict: 'settled' | 'adopted' | 'followed' | 'listed';
  /** In words: why a person must decide, or the result. */
  why: string;
  case_id: string | null;
  /** Whether the order was made again from what the provider keeps of it. */
  recovered: boolean;
  /** What people must do about it; null if nothing. */
  to_do: Instructions | null;
}

/** The payment engine, and what makes an order again. */
export type RestoreDeps = PaymentDeps & { collection: CollectionDeps };

const reason = 'paydesk after-restore: the provider has a payment that the restored books have lost';

/** Whether the books have this order. */
export const isKnownOrder = async ({ kindOf, db }: RestoreDeps, order_no: string | null): Promise<boolean> =>
  order_no !== null && (await kindOf(order_no).findMerchant(db, order_no)) !== null;

/** Handles one difference. A refusal lists it; a failure of the database or a defect is thrown. */
export async function settleDifference(
  deps: RestoreDeps,
  difference: Difference,
  { sessions }: Pick<ProviderRecords, 'sessions'>,
): Promise<Handled> {
  const { kind, payment_no, provider_payment_id, provider_id, session_id } = difference;
  const { order_no } = difference;
  const session = sessions.find(({ id }) => id === session_id);
  const is_known_order = await isKnownOrder(deps, order_no);
  const listed = (why: string, case_id: string | null = null, recovered = false): Handled => ({
    ...{ ...difference, verdict: 'listed', why, case_id, recovered },
    to_do: instructionsFor({
      ...{ kind, order_no, case_id, is_known_order: is_known_order || recovered },
      is_recoverable: saysWhatWasOrdered(session),
    }),
  });
  const followed = (why: string): Handled => ({
    ...{ ...difference, verdict: 'followed', why, case_id: null, recovered: false, to_do: null },
  });
  switch (kind) {
    case 'payment_missing_there':
      return listed('the provider does not have this payment');
    case 'amount_differs':
      return listed('the provider has another amount or currency');
    case 'refund_missing_here':
    case 'refund_failed_there': {
      const { outcome } = await followRefunds(deps, payment_no, provider_payment_id ?? '');
      return followed(outcome);
    }
    case 'dispute_missing_here': {
      const { outcome } = await followDispute(deps, payment_no, provider_id ?? '');
      return followed(outcome);
    }
    case 'payment_missing_here': {
      if (session === undefined) return listed('its session was not read');
      const handled = await settlePayment(deps, difference, session, listed);
      // The payment can have been refunded or disputed while it was unknown here.
      if (handled.verdict !== 'listed' && provider_payment_id !== null) {
        await followEarlierLosses(deps, payment_no, provider_payment_id);
      }
      return handled;
    }
  }
}

/** Whether a session has all that is needed to make a catalog order again; sessions of older releases do not. */
const saysWhatWasOrdered = (session: Partial<ListedSession> | undefined): boolean => {
  const recovery = session?.recovery ?? null;
  return recovery !== null && 'gd_no' in recovery;
};

/** What a webhook about the session would say. */
export const hintOf = ({ id, reference, order_no, merchant_id }: CardSession): SessionHint => ({
  id,
  client_reference_id: reference,
  metadata: {
    ...(order_no === null ? {} : { order_no }),
    ...(merchant_id === null ? {} : { merchant_id }),
  },
});

async function settlePayment(
  deps: RestoreDeps,
  difference: Difference,
  session: CardSession & Partial<ListedSession>,
  listed: (why: string, case_id?: string | null, recovered?: boolean) => Handled,
): Promise<Handled> {
  const { payment_no, session_id, provider_payment_id } = difference;
  const hint = hintOf(session);
  const attempt = await findAttempt(deps, hint);
  if (attempt !== null && attempt.payment_no === payment_no) {
    const { outcome, again } = await followAttempt(deps, attempt, hint);
    if (again) return listed(`it could not be looked up: ${outcome}`);
    const held = await selectCaseByPayment(deps.db, payment_no, provider_payment_id ?? '');
    if (held !== null) return listed('the order cannot use the payment, so a case holds it', held.case_id);
    return { ...difference, verdict: 'settled', why: outcome, case_id: null, recovered: false, to_do: null };
  }
  const { made: recovered, why } = await makeAgain(deps, payment_no, session);
  await keepUnmatchedReceipt(deps, payment_no, hint);
  const key = {
    merchant_id: platformBook,
    kind: 'unmatched_receipt',
    dedupe_key: `${payment_no} ${session_id ?? ''}`,
  } as const;
  const kept = await deps.db.transaction((tx) => selectCaseByKey(tx, key));
  if (kept === null) return listed('it is not a payment for an order of this service', null, recovered);
  const { case_id } = kept;
  try {
    await adopt(deps, case_id);
    return {
      ...{ ...difference, verdict: 'adopted', why: 'the order that it names is paid', case_id, recovered },
      to_do: await deliveryOf(deps, difference),
    };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return listed(why ?? error.message, case_id, recovered);
  }
}

/** An order that was made again is delivered by a person (D-311). */
export async function deliveryOf(
  { db }: RestoreDeps,
  { order_no }: Difference,
): Promise<Instructions | null> {
  if (order_no === null || !isCatalogOrderNo(order_no)) return null;
  return (await selectCatalogOrderByNo(db, order_no))?.made_again === true ? deliveryFor(order_no) : null;
}

/** Whether an order was made again; `why` says why not, where that is known. */
interface Remade {
  made: boolean;
  why?: string;
}

/** Makes an order again that the database has lost, if the payment is exactly what its buyer would have to pay. */
async function makeAgain(
  { db, kindOf, collection }: RestoreDeps,
  payment_no: string,
  session: CardSession & Partial<ListedSession>,
): Promise<Remade> {
  const { merchant_id, order_no, recovery, amount, currency } = session;
  if (order_no === null || recovery === null || recovery === undefined) return { made: false };
  if (merchant_id === null || !(await isKnownMerchant(db, session))) return { made: false };
  if ((await kindOf(order_no).findMerchant(db, order_no)) !== null) return { made: false };
  const payment = { payment_no, amount, currency };
  try {
    if ('gd_no' in recovery) {
      await recoverCatalogOrder(collection, merchant_id, { order_no, ...recovery, payment });
      return { made: true };
    }
    return {
      made: (await recoverOrder(collection, merchant_id, { order_no, ...recovery, payment })) !== null,
    };
  } catch (error) {
    // A currency, rate or channel no longer exists, or its key has made another order: the payment is listed.
    if (error instanceof AppError) return { made: false, why: error.message };
    if (isUniqueViolation(error)) return { made: false };
    throw error;
  }
}

async function adopt(deps: PaymentDeps, case_id: string): Promise<void> {
  await askBeforeResolving(deps, case_id, 'adopt');
  await runAudited(deps, { actor: 'command', action: 'case.adopt', reason }, async (tx) => {
    const { before, after } = await resolveCase(deps, tx, case_id, { action: 'adopt', reason });
    return { target: `case:${case_id}`, before: caseJson(before), after: caseJson(after) };
  });
}

/**
 * Closes the open sessions of the gap that no attempt here knows, so that no buyer pays for an order that is gone. A
 * session of an unknown merchant stays: another installation may share the account.
 *
 * @returns the sessions that could not be closed
 */
export async function closeUnknownSessions(
  deps: PaymentDeps,
  channel: Channel,
  { sessions, since }: { sessions: ProviderRecords['sessions']; since: Date },
): Promise<{ closed: number; left: CardSession[] }> {
  let closed = 0;
  const left: CardSession[] = [];
  for (const session of sessions) {
    const isOurs = session.reference?.startsWith('pa_') === true && session.order_no !== null;
    if (!isOurs || session.status !== 'open' || !isOfGap(session, since)) continue;
    if ((await findAttempt(deps, hintOf(session))) !== null) continue;
    if (!(await isKnownMerchant(deps.db, session))) continue;
    if ((await deps.cards.expireSession(channel, session.id)) === 'closed') closed++;
    else left.push(session);
  }
  return { closed, left };
}

/** Clocks differ, and what was made before the restored time has its attempt here. */
const clocksDiffer_s = 120;

const isOfGap = ({ created = 0 }: { created?: number }, since: Date): boolean =>
  created >= since.getTime() / 1_000 - clocksDiffer_s;

async function isKnownMerchant(db: PaymentDeps['db'], { merchant_id }: CardSession): Promise<boolean> {
  if (merchant_id === null || !/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(merchant_id)) return false;
  return (await selectMerchant(db, merchant_id)) !== null;
}
