/** Reads what a merchant can pay fees from, and checks that it is enough. */
import type { Queryable, Tx } from '../../base/pg/index.ts';
import { type Funds, lockFunds, readFunds } from '../../ledger/books/index.ts';
import { type Merchant, selectMerchant } from '../../merchants/index.ts';
import type { Quote } from '../quotes/index.ts';
import { AppError, InvariantError } from '../../base/errors.ts';
import { type FeeFunds, splitFee } from './split-fee.ts';
import { feeToReserve } from './fee-reservation.ts';

/** Reads a merchant's fee funds without a lock: enough to show or refuse, not to take. */
export async function readFeeFunds(db: Queryable, merchant_id: string): Promise<FeeFunds> {
  const [funds, merchant] = await Promise.all([readFunds(db, merchant_id), selectMerchant(db, merchant_id)]);
  return withCreditLimit(funds, merchant);
}

/** The same, locked until the transaction ends. The credit limit, up to which a fee may draw on credit (D-070), is read
 * under that lock. One round trip. */
export async function lockFeeFunds(tx: Tx, merchant_id: string): Promise<FeeFunds> {
  const [funds, merchant] = await Promise.all([lockFunds(tx, merchant_id), selectMerchant(tx, merchant_id)]);
  return withCreditLimit(funds, merchant);
}

function withCreditLimit(funds: Funds, merchant: Merchant | null): FeeFunds {
  if (merchant === null) throw new InvariantError('a wallet without its merchant');
  return { ...funds, credit_limit_ptk: merchant.credit_limit_ptk };
}

/**
 * Checks for a new order that the merchant can pay the fee of at least one method (R-132, D-055, D-069). Asks the database
 * only if every method has a fee to reserve. Reserves nothing.
 *
 * @throws AppError `merchant_fee_funding_unavailable`
 */
export async function demandFeeFunds(
  db: Queryable,
  merchant_id: string,
  quotes: readonly Quote[],
): Promise<void> {
  if (quotes.some((quote) => feeToReserve(quote) === 0n)) return;
  const funds = await readFeeFunds(db, merchant_id);
  if (quotes.every((quote) => splitFee(feeToReserve(quote), funds) === null)) throw fundingUnavailable();
}

/** A fee that cannot be funded. */
export const fundingUnavailable = (): AppError => new AppError('merchant_fee_funding_unavailable');
