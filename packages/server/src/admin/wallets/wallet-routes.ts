import type { FastifyInstance } from 'fastify';
import { readMerchantBalances } from '../../ledger/books/index.ts';
import { merchantWalletJson } from '../../merchants/index.ts';
import { answerOutcome, type Requester, runAsStaff, runOrAsk } from '../approvals/index.ts';
import type { AdminDeps } from '../request/deps.ts';
import { findMerchant } from '../request/merchant.ts';
import { actorOf, type ByMerchant } from '../request/request.ts';
import { type WalletCall, walletCalls, type WalletRequest } from './wallet-writes.ts';

/**
 * Changes of a merchant's guarantee, credit and debts. Each is made once for its reference; the answer is the wallet
 * (R-379).
 */
export function walletRoutes(app: FastifyInstance, deps: AdminDeps): void {
  const { db } = deps;
  for (const call of walletCalls) {
    app.post<ByMerchant>(`/merchants/:merchant_no/${call.path}`, async (request, reply) => {
      const { merchant_no } = request.params;
      const merchant = await findMerchant(db, merchant_no);
      const { merchant_id } = merchant;
      const { asked, reason } = await call.read(db, request.body);
      const wanted = { merchant_id, target: `merchant:${merchant_no}`, ...asked };
      const outcome = await runCall(deps, call, wanted, { actor: actorOf(request), reason });
      return answerOutcome(reply, outcome, async (written) => {
        const wallet = merchantWalletJson(merchant, await readMerchantBalances(db, merchant_id));
        return reply.code(written === null ? 200 : 201).send(wallet);
      });
    });
  }
}

async function runCall(
  deps: AdminDeps,
  { write, mayWait }: WalletCall,
  request: WalletRequest,
  by: Requester,
): ReturnType<typeof runOrAsk> {
  if (mayWait(request)) return runOrAsk(deps, write, request, by);
  const act = { ...by, action: write.action };
  const written = await runAsStaff(deps, act, write.askedBy, (tx) => write.run(deps, tx, request, by));
  return { kind: 'done', written };
}
