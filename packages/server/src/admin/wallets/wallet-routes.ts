import { DebtWriteOff, GuaranteeDeposit, RecoveryRepayment, WalletMove } from '@paydesk/contract';
import type { FastifyInstance } from 'fastify';
import { invalid } from '../../base/errors.ts';
import { type ReferencedEntry, readMerchantBalances } from '../../ledger/books/index.ts';
import {
  creditRepayment,
  guaranteeDeposit,
  guaranteeReturn,
  recoveryRepayment,
  recoveryWriteOff,
  type WalletOperation,
} from '../../ledger/wallets/index.ts';
import { merchantWalletJson } from '../../merchants/index.ts';
import { demandReason } from '../request/decode.ts';
import { reader } from '../../base/input/decode.ts';
import { readPaid } from './bank-money.ts';
import type { AdminDeps } from '../request/deps.ts';
import { findMerchant } from '../request/merchant.ts';
import { actorOf, type ByMerchant } from '../request/request.ts';
import { postAudited } from './post-audited.ts';

type WalletDeps = Pick<AdminDeps, 'db' | 'clock' | 'ids'>;

const readMove = reader(WalletMove);
const readDeposit = reader(GuaranteeDeposit);
const readRepayment = reader(RecoveryRepayment);
const readWriteOff = reader(DebtWriteOff);

/** What a body asks for: the entry to post, the reason if one is required, and the audit log's record of it. */
interface Asked {
  entry: ReferencedEntry;
  reason?: string;
  logged: Record<string, unknown>;
}

/**
 * Changes of a merchant's guarantee, credit and debts. Each is made once for its reference; the answer is the wallet
 * (R-379).
 */
export function walletRoutes(app: FastifyInstance, deps: WalletDeps): void {
  const { db } = deps;

  const walletRoute = (
    name: string,
    action: string,
    read: (merchant_id: string, body: unknown) => Asked | Promise<Asked>,
  ): void => {
    app.post<ByMerchant>(`/merchants/:merchant_no/${name}`, async (request, reply) => {
      const { merchant_no } = request.params;
      const merchant = await findMerchant(db, merchant_no);
      const { merchant_id } = merchant;
      const asked = await read(merchant_id, request.body);
      const act = { actor: actorOf(request), action, reason: asked.reason ?? null };
      const posted = await postAudited(deps, act, `merchant:${merchant_no}`, asked.entry, asked.logged);
      const wallet = merchantWalletJson(merchant, await readMerchantBalances(db, merchant_id));
      return reply.code(posted ? 201 : 200).send(wallet);
    });
  };

  walletRoute('guarantee-deposits', 'merchant.guarantee-deposit', async (merchant_id, body) => {
    const { source = 'external', paid, ...move } = readDeposit(body);
    if (source === 'available' && paid !== undefined) {
      throw invalid('paid', 'A deposit from the available balance has no bank payment.');
    }
    const from = source === 'available' ? source : { paid: await readPaid(db, paid) };
    const logged = { ...move, source, ...(paid === undefined ? {} : { paid }) };
    return { entry: guaranteeDeposit(operationOf(merchant_id, move), from), logged };
  });

  walletRoute('guarantee-returns', 'merchant.guarantee-return', (merchant_id, body) => {
    const move = readMove(body);
    return { entry: guaranteeReturn(operationOf(merchant_id, move)), logged: move };
  });

  walletRoute('credit-repayments', 'merchant.credit-repayment', (merchant_id, body) => {
    const move = readMove(body);
    return { entry: creditRepayment(operationOf(merchant_id, move)), logged: move };
  });

  walletRoute('recovery-repayments', 'merchant.recovery-repayment', async (merchant_id, body) => {
    const { paid, ...move } = readRepayment(body);
    const entry = recoveryRepayment(operationOf(merchant_id, move), await readPaid(db, paid));
    return { entry, logged: { ...move, ...(paid === undefined ? {} : { paid }) } };
  });

  walletRoute('recovery-write-offs', 'merchant.recovery-write-off', (merchant_id, body) => {
    const { reason: given, ...move } = readWriteOff(body);
    const reason = demandReason(given);
    return { entry: recoveryWriteOff(operationOf(merchant_id, move)), reason, logged: move };
  });
}

const operationOf = (
  merchant_id: string,
  { amount_ptk, reference }: Pick<WalletMove, 'amount_ptk' | 'reference'>,
): WalletOperation => ({ merchant_id, amount_ptk: BigInt(amount_ptk), reference });
