/** The part of a loss that comes back from the wallet which a top-up has filled. */
import { minOf } from '../../base/money.ts';
import type { Tx } from '../../base/pg/index.ts';
import { type Entry, lockWallet, readTransfers, readUserBalance } from '../../ledger/books/index.ts';
import { walletReturnEntry } from './loss-entries.ts';
import type { PaidOrder } from './paid-order.ts';

/**
 * What the wallet pays of the loss of a top-up: as much as it can, before the platform's merchant pays the rest (D-358,
 * P22). Nothing where the order is no top-up.
 *
 * @param key the complaint; empty for a refund
 */
export async function takeFromWallet(
  tx: Tx,
  paid: PaidOrder,
  key: string,
  loss: bigint,
): Promise<{ back: bigint; returned: Entry[] }> {
  const { wallet_user_id } = paid.order;
  const back = wallet_user_id === null ? 0n : minOf(loss, await returnable(tx, paid.order, wallet_user_id));
  const returned =
    wallet_user_id === null || back === 0n ? [] : [walletReturnEntry(paid, wallet_user_id, key, back)];
  return { back, returned };
}

/** What a wallet has of the PTK that a top-up gave it: all its losses together never take more than that (D-361). */
async function returnable(tx: Tx, order: PaidOrder['order'], user_id: string): Promise<bigint> {
  await lockWallet(tx, user_id);
  const [balance, transfers] = await Promise.all([
    readUserBalance(tx, user_id),
    readTransfers(tx, order.merchant_id, order.order_no),
  ]);
  const taken = transfers
    .filter(({ posting }) => posting === 'P22')
    .reduce((sum, { amount }) => sum + amount, 0n);
  return minOf(balance, order.gross_settlement_ptk - taken);
}
