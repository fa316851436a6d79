import {
  DebtWriteOff,
  GuaranteeDeposit,
  PayoutReport,
  RecoveryRepayment,
  WalletMove,
} from '@paydesk/contract';
import type { FastifyInstance } from 'fastify';
import { AppError, invalid } from '../base/errors.ts';
import { formatMinor } from '../base/money.ts';
import type { Channel } from '../channels/channel.ts';
import { readChannel } from '../channels/read-channels.ts';
import type { Currency } from '../currencies/currency.ts';
import { postOnce, type ReferencedEntry } from '../ledger/post-once.ts';
import { merchantBalances } from '../ledger/read-balances.ts';
import {
  creditRepayment,
  guaranteeDeposit,
  guaranteeReturn,
  type Payout,
  providerPayout,
  recoveryRepayment,
  recoveryWriteOff,
  type WalletOperation,
} from '../ledger/wallet-operations.ts';
import { readMerchant } from '../merchants/read-merchants.ts';
import { type Act, audited } from './audit.ts';
import { readBankCurrency, readNotNegative, readPaid, readPositive } from './bank-money.ts';
import { demandReason, merchantInPath, reader } from './decode.ts';
import type { AdminDeps } from './deps.ts';
import { merchantWalletJson } from './merchant-json.ts';
import { actorOf, type ByChannel, type ByMerchant } from './request.ts';

type WalletDeps = Pick<AdminDeps, 'db' | 'clock' | 'ids'>;

const readMove = reader(WalletMove);
const readDeposit = reader(GuaranteeDeposit);
const readRepayment = reader(RecoveryRepayment);
const readWriteOff = reader(DebtWriteOff);
const readPayout = reader(PayoutReport);

/** What a body asks of a wallet: the entry, why where that is demanded, and what the audit log keeps of it. */
interface Asked {
  entry: ReferencedEntry;
  reason?: string | null;
  logged: Record<string, unknown>;
}

/**
 * What administrators do to a merchant's guarantee, credit and debts, each once for its reference and answered with
 * the wallet; and the payouts of card providers.
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
      const merchant = await readMerchant(db, merchantInPath(merchant_no));
      if (merchant === null) throw new AppError('not_found');
      const { merchant_id } = merchant;
      const asked = await read(merchant_id, request.body);
      const act = { actor: actorOf(request), action };
      const posted = await run(deps, act, `merchant:${merchant_no}`, asked);
      const wallet = merchantWalletJson(merchant, await merchantBalances(db, merchant_id));
      return reply.code(posted ? 201 : 200).send(wallet);
    });
  };

  walletRoute('guarantee-deposits', 'merchant.guarantee-deposit', async (merchant_id, body) => {
    const { source = 'external', paid, ...move } = readDeposit(body);
    if (source === 'available' && paid !== undefined) {
      throw invalid('paid', 'A deposit out of the available balance is not paid for.');
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

  app.post<ByChannel>('/channels/:payment_no/payouts', async (request, reply) => {
    const channel = await readChannel(db, request.params.payment_no);
    if (channel === null) throw new AppError('not_found');
    const { payout, currency } = await readPayoutOn(deps, channel, request.body);
    const answer = payoutJson(payout, currency);
    const asked = { entry: providerPayout(payout), logged: answer };
    const act = { actor: actorOf(request), action: 'channel.payout' };
    const posted = await run(deps, act, `channel:${channel.payment_no}`, asked);
    return reply.code(posted ? 201 : 200).send(answer);
  });
}

/** Posts what was asked for with its entry in the audit log; answers whether it was posted now. */
async function run(
  deps: WalletDeps,
  act: Act,
  target: string,
  { entry, reason = null, logged }: Asked,
): Promise<boolean> {
  const done = await audited(deps, { ...act, reason }, async (tx) =>
    (await postOnce(tx, entry, deps.clock.now())) ? { target, before: null, after: logged } : null,
  );
  return done !== null;
}

const operationOf = (
  merchant_id: string,
  { amount_ptk, reference }: Pick<WalletMove, 'amount_ptk' | 'reference'>,
): WalletOperation => ({ merchant_id, amount_ptk: BigInt(amount_ptk), reference });

/** Only what a card provider owes the platform can be paid out: neither PTK nor a merchant's own account. */
async function readPayoutOn(
  { db }: WalletDeps,
  { payment_no, provider, merchant_id, test_mode, currency: displayed }: Channel,
  body: unknown,
): Promise<{ payout: Payout; currency: Currency }> {
  const { amount, fees, currency: named, reference } = readPayout(body);
  if (provider === 'ptk' || merchant_id !== null) {
    throw new AppError('channel_unavailable', {
      description: 'Only card accounts of the platform are paid out to the platform.',
    });
  }
  const currency = await readBankCurrency(db, 'currency', named ?? displayed);
  const minor = readPositive('amount', amount, currency);
  const fees_minor = readNotNegative('fees', fees, currency);
  if (fees_minor > minor) throw invalid('fees', 'The fees are larger than the amount.');
  return {
    payout: { payment_no, test_mode, currency: currency.code, minor, fees_minor, reference },
    currency,
  };
}

const payoutJson = (payout: Payout, { decimals }: Currency) => ({
  payment_no: payout.payment_no,
  reference: payout.reference,
  currency: payout.currency,
  amount: formatMinor(payout.minor, decimals),
  fees: formatMinor(payout.fees_minor, decimals),
});
