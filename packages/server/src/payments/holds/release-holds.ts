import { days, later } from '../../base/time/clock.ts';
import type { Write } from '../../base/pg/index.ts';
import {
  type Account,
  merchantAvailable,
  merchantHeld,
  merchantRecovery,
  type Entry,
  type Transfer,
  transfer,
  post,
  lockOrderFunds,
} from '../../ledger/books/index.ts';
import type { PaymentDeps, Payable } from '../engine/index.ts';
import { minOf } from '../../base/money.ts';
import { endHold, insertHold, isHoldDue, selectDueHolds, selectMerchantsWithHolds } from './hold.sql.ts';

/** The hold on an order's proceeds, from the moment it is paid; nothing where the merchant has none (R-130, D-073). */
export function holdFrom(order: Payable, paid: Date): Write[] {
  const { merchant_id, order_no, hold_days } = order;
  return hold_days === 0 ? [] : [insertHold(merchant_id, order_no, later(paid, days(hold_days)))];
}

/** The posting of a release (P3): what the merchant still owes is repaid first, the rest becomes available. */
export function releaseEntry(merchant_id: string, order_no: string, held: bigint, owed: bigint): Entry {
  return {
    merchant_id,
    subject: order_no,
    posting: 'P3',
    transfers: releaseOf(merchantHeld(order_no), held, owed),
  };
}

/** Funds that become the merchant's to use, its debt first. */
export function releaseOf(from: Account, amount: bigint, owed: bigint): Transfer[] {
  const repaid = minOf(amount, owed);
  return [transfer(from, merchantRecovery(), repaid), transfer(from, merchantAvailable(), amount - repaid)];
}

/**
 * One pass over the holds that are over: each order's funds are released once, in a transaction of its own (R-147,
 * D-073). Any number of workers may run it.
 *
 * @returns how many orders were released
 */
export async function releaseDueHolds(
  deps: Pick<PaymentDeps, 'db' | 'clock' | 'log' | 'kindOf'>,
  limit = 100,
): Promise<number> {
  let released = 0;
  const now = deps.clock.now();
  for (const merchant_id of await selectMerchantsWithHolds(deps.db, now, limit)) {
    for (const order_no of await selectDueHolds(deps.db, merchant_id, now, limit)) {
      try {
        if (await releaseHold(deps, merchant_id, order_no)) released++;
      } catch (error) {
        // One order that cannot be released holds back no other.
        deps.log.error({ err: error, order_no }, 'a hold could not be released');
      }
    }
  }
  return released;
}

function releaseHold(
  { db, clock, kindOf }: Pick<PaymentDeps, 'db' | 'clock' | 'kindOf'>,
  merchant_id: string,
  order_no: string,
): Promise<boolean> {
  return db.transaction(async (tx) => {
    await kindOf(order_no).lock(tx, merchant_id, order_no);
    const now = clock.now();
    if (!(await isHoldDue(tx, merchant_id, order_no, now))) return false;
    const { recovery, held } = await lockOrderFunds(tx, merchant_id, order_no);
    const { book } = post(releaseEntry(merchant_id, order_no, held, recovery), now);
    await tx.write([...book, endHold(merchant_id, order_no, now)]);
    return true;
  });
}
