/** Top-ups of people's and merchants' wallets. */
import { TopUpRequest } from '@paydesk/contract';
import { reader } from '../../base/input/decode.ts';
import { merchantNo } from '../../base/ids.ts';
import { type TopUp, topUpEntry } from '../../ledger/wallets/index.ts';
import { runOrAsk } from '../approvals/index.ts';
import { demandReason } from '../request/decode.ts';
import type { AdminDeps } from '../request/deps.ts';
import { amountsOf, type PostingRequest, postingWrite } from './posting-write.ts';

interface TopUpAsked extends PostingRequest {
  to: TopUp['to'];
}

const topUpWrite = (action: string) =>
  postingWrite<TopUpAsked>(action, ({ to, amount_ptk, reference }, paid) =>
    topUpEntry({ to, amount_ptk: BigInt(amount_ptk), reference, paid }),
  );

const toPerson = topUpWrite('user.top-up');
const toMerchant = topUpWrite('merchant.top-up');

export const topUpWrites = [toPerson, toMerchant];

const readTopUp = reader(TopUpRequest);

/**
 * Tops up a wallet, once for each reference, or stores that the top-up waits for a second person.
 *
 * @throws AppError `invalid_request` on `reason` or `paid`, `reference_conflict`
 */
export async function runTopUp(deps: AdminDeps, actor: string, to: TopUp['to'], body: unknown) {
  const { reason: given, ...asked } = readTopUp(body);
  const reason = demandReason(given);
  const ofUser = 'user_id' in to;
  const target = ofUser ? `user:${to.user_id}` : `merchant:${merchantNo(to.merchant_id)}`;
  const request = { to, target, ...(await amountsOf(deps.db, asked)) };
  return runOrAsk(deps, ofUser ? toPerson : toMerchant, request, { actor, reason });
}
