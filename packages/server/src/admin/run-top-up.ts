import type { TopUpRequest } from '@paydesk/contract';
import { isUniqueViolation } from '../base/db.ts';
import { invalid } from '../base/errors.ts';
import { parseDecimal, ptk, toMinor } from '../base/money.ts';
import { listCurrencies } from '../currencies/read-currencies.ts';
import { type TopUp, topUp, topUpWasPosted } from '../ledger/top-up.ts';
import { type Act, audited } from './audit.ts';
import type { AdminDeps } from './deps.ts';

type TopUpDeps = Pick<AdminDeps, 'db' | 'clock' | 'ids'>;

/**
 * Tops a wallet up, once for each reference, with its entry in the audit log.
 *
 * @returns whether it was posted now; false where it had been posted before
 * @throws AppError `invalid_request` on `paid`, `reference_conflict`
 */
export async function runTopUp(
  deps: TopUpDeps,
  act: Act,
  to: TopUp['to'],
  target: string,
  body: TopUpRequest,
): Promise<boolean> {
  const { amount_ptk, reference, paid } = body;
  const request: TopUp = { to, amount_ptk: BigInt(amount_ptk), reference, paid: await readPaid(deps, paid) };
  const after = {
    amount_ptk: request.amount_ptk.toString(),
    reference,
    ...(paid === undefined ? {} : { paid }),
  };
  try {
    const done = await audited(deps, act, async (tx) =>
      (await topUp(tx, request, deps.clock.now())) ? { target, before: null, after } : null,
    );
    return done !== null;
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    // Another call with this reference committed first; what it posted decides.
    await topUpWasPosted(deps.db, request);
    return false;
  }
}

async function readPaid({ db }: TopUpDeps, paid: TopUpRequest['paid']): Promise<TopUp['paid']> {
  if (paid === undefined) return null;
  if (paid.currency === ptk) throw invalid('paid.currency', 'PTK is not paid for with PTK.');
  const currency = (await listCurrencies(db)).find(({ code }) => code === paid.currency);
  if (currency === undefined) throw invalid('paid.currency', 'The currency is unknown.');
  const written = parseDecimal(paid.amount);
  const minor = written === null ? null : toMinor(written, currency.decimals);
  if (minor === null || minor <= 0n || minor >= 10n ** 38n) {
    const places = `at most ${currency.decimals} decimal places`;
    throw invalid('paid.amount', `The amount must be a positive decimal string with ${places}.`);
  }
  return { currency: currency.code, minor };
}
