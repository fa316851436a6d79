import { PayoutReport } from '@paydesk/contract';
import type { FastifyInstance } from 'fastify';
import type { Queryable } from '../../base/pg/index.ts';
import { type Channel, selectChannel } from '../../channels/index.ts';
import type { Currency } from '../../currencies/index.ts';
import { postOnce } from '../../ledger/books/index.ts';
import { type Payout, providerPayout } from '../../ledger/wallets/index.ts';
import { reader } from '../../base/input/decode.ts';
import { AppError, invalid } from '../../base/errors.ts';
import { formatMinor } from '../../base/money.ts';
import { readBankCurrency, readNotNegative, readPositive } from './bank-money.ts';
import { runAsStaff } from '../approvals/index.ts';
import type { AdminDeps } from '../request/deps.ts';
import { money } from '../request/permissions.ts';
import { actorOf, type ByChannel } from '../request/request.ts';

const readPayout = reader(PayoutReport);

/** `POST /channels/{payment_no}/payouts`: records a card provider's payout, once for each reference. */
export function payoutRoutes(app: FastifyInstance, deps: Pick<AdminDeps, 'db' | 'clock' | 'ids'>): void {
  const { db } = deps;

  app.post<ByChannel>('/channels/:payment_no/payouts', async (request, reply) => {
    const channel = await selectChannel(db, request.params.payment_no);
    if (channel === null) throw new AppError('not_found');
    const { payout, currency } = await readPayoutOn(db, channel, request.body);
    const answer = payoutJson(payout, currency);
    const act = { actor: actorOf(request), action: 'channel.payout' };
    const target = `channel:${channel.payment_no}`;
    const done = await runAsStaff(deps, act, money, async (tx) =>
      (await postOnce(tx, providerPayout(payout), deps.clock.now()))
        ? { target, before: null, after: answer }
        : null,
    );
    return reply.code(done === null ? 200 : 201).send(answer);
  });
}

/** Reads a payout. Only the platform's card accounts are paid out: not PTK, and not a merchant's own account. */
async function readPayoutOn(
  db: Queryable,
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
