import { DecisionOnWithdrawal, WithdrawalRequest } from '@paydesk/contract';
import type { FastifyInstance } from 'fastify';
import { AppError, invalid } from '../../base/errors.ts';
import { ptkText } from '../../base/money.ts';
import { listRoutes } from '../../http/lists/list-routes.ts';
import {
  selectWithdrawal,
  selectWithdrawals,
  requestWithdrawal,
  type Withdrawal,
  type WithdrawalStatus,
} from '../../ledger/wallets/index.ts';
import { answerOf, answerOutcome, runAsStaff, runOrAsk } from '../approvals/index.ts';
import { demandReason, oneIn } from '../request/decode.ts';
import { reader } from '../../base/input/decode.ts';
import { pageOf, readPageRequest } from '../../base/input/list-page.ts';
import { readBankCurrency, readPositive } from './bank-money.ts';
import type { AdminDeps } from '../request/deps.ts';
import { demandMerchant } from '../request/merchant.ts';
import { exportLimit } from '../../http/lists/export-limit.ts';
import { actorOf, type ByWithdrawal, type Listing } from '../request/request.ts';
import { withdrawalJson } from './withdrawal-json.ts';
import { withdrawalWrite } from './withdrawal-write.ts';

const readRequest = reader(WithdrawalRequest);
const readDecision = reader(DecisionOnWithdrawal);

/** `POST /withdrawals`, one of them (D-1450), the decision on it, and the list, filtered by `status`. */
export function withdrawalRoutes(app: FastifyInstance, deps: AdminDeps): void {
  const { db } = deps;

  const load = async (_request: unknown, query: Listing['Querystring']) => {
    const { limit, after } = readPageRequest(query);
    const status = readStatus(query.status);
    const order = oneIn(query, 'order', ['newest', 'oldest']) ?? 'newest';
    const found = await selectWithdrawals(db, { status, order, after, limit: limit + 1 });
    return pageOf(found, limit, ({ withdrawal_id }) => withdrawal_id, withdrawalJson);
  };
  listRoutes<Listing, ReturnType<typeof withdrawalJson>>(app, '/withdrawals', load, {
    columns: [
      ...(['withdrawal_id', 'merchant_no', 'reference', 'amount_ptk'] as const),
      ['amount', ({ amount_ptk }) => ptkText(amount_ptk)],
      ...(['payout_amount', 'payout_currency', 'status', 'requested_at', 'decided_at'] as const),
    ],
    admit: exportLimit({ ...deps, actorOf }),
  });

  app.get<ByWithdrawal>('/withdrawals/:withdrawal_id', async ({ params }) => {
    const known = await selectWithdrawal(db, params.withdrawal_id);
    if (known === null) throw new AppError('not_found');
    return withdrawalJson(known);
  });

  app.post('/withdrawals', async (request, reply) => {
    const wanted = await wantedWithdrawal(deps, readRequest(request.body));
    const act = { actor: actorOf(request), action: 'withdrawal.request' };
    let stored = wanted;
    const done = await runAsStaff(deps, act, withdrawalWrite.askedBy, async (tx) => {
      const { withdrawal, isNew } = await requestWithdrawal(tx, wanted);
      stored = withdrawal;
      return isNew ? { target: targetOf(withdrawal), before: null, after: withdrawalJson(withdrawal) } : null;
    });
    return reply.code(done === null ? 200 : 201).send(withdrawalJson(stored));
  });

  app.post<ByWithdrawal>('/withdrawals/:withdrawal_id/decision', async (request, reply) => {
    const { decision, reason: given } = readDecision(request.body);
    const by = { actor: actorOf(request), reason: demandReason(given) };
    const { withdrawal_id } = request.params;
    const outcome = await runOrAsk(deps, withdrawalWrite, { withdrawal_id, decision }, by);
    return answerOutcome(reply, outcome, async (written) => reply.send(await answerOf(written)));
  });
}

const targetOf = ({ withdrawal_id }: Withdrawal): string => `withdrawal:${withdrawal_id}`;

async function wantedWithdrawal(
  { db, clock, ids }: AdminDeps,
  { merchant_no, amount_ptk, reference, payout_currency, payout_amount }: WithdrawalRequest,
): Promise<Withdrawal> {
  const merchant_id = await demandMerchant(db, 'merchant_no', merchant_no);
  const currency = await readBankCurrency(db, 'payout_currency', payout_currency);
  const now = clock.now();
  return {
    merchant_id,
    withdrawal_id: `wd_${ids.ulid(now)}`,
    reference,
    amount_ptk: BigInt(amount_ptk),
    payout_currency: currency.code,
    payout_decimals: currency.decimals,
    payout_amount: readPositive('payout_amount', payout_amount, currency),
    status: 'pending',
    requested_at: now,
    decided_at: null,
  };
}

const statuses: readonly unknown[] = ['pending', 'paid', 'rejected'] satisfies WithdrawalStatus[];

/** Reads the filter. Throws `invalid_request` on `status`. */
function readStatus(status: unknown): WithdrawalStatus | null {
  if (status === undefined) return null;
  if (!statuses.includes(status)) throw invalid('status', 'status must be pending, paid or rejected.');
  return status as WithdrawalStatus;
}
