import { isPartOfOrder, selectCaseByPayment } from '../../src/payments/cases/index.ts';
import type { PaymentDeps } from '../../src/payments/engine/index.ts';
import { followDispute } from '../../src/payments/following/follow-dispute.ts';
import { followRefunds } from '../../src/payments/following/follow-refunds.ts';
import { compareDispute } from '../../src/payments/reconciliation/compare-dispute.ts';
import { comparePayment } from '../../src/payments/reconciliation/compare-payment.ts';
import { compareRefund } from '../../src/payments/reconciliation/compare-refund.ts';
import { differenceInWords, type Found } from '../../src/payments/reconciliation/difference.ts';
import { partsOf, readProvider } from '../../src/payments/reconciliation/read-provider.ts';
import type { Problem } from './check.ts';
import { begins_at, type World } from './world.ts';

/**
 * What the nightly comparison with the provider lists when all work is done: nothing. All that the provider has is booked, or
 * a case tells or told a person of it (D-103, D-850, D-1291).
 */
export async function differencesOf(world: World, payments: PaymentDeps): Promise<Problem[]> {
  const found = await compare(world, payments);
  return found.map((one) => `comparison: ${'failure' in one ? one.failure : differenceInWords(one)}`);
}

/**
 * A process that let a receipt pay its order has died before it followed what came earlier (D-205): people act on what the
 * comparison lists of such a payment, and of no other.
 */
export async function followListed(world: World, payments: PaymentDeps): Promise<void> {
  for (const one of await compare(world, payments)) {
    if ('failure' in one) continue;
    const { kind, payment_no, provider_payment_id, provider_id } = one;
    const held = await selectCaseByPayment(payments.db, payment_no, provider_payment_id ?? '');
    if (held === null || !isPartOfOrder(held)) continue;
    if (kind === 'dispute_missing_here') await followDispute(payments, payment_no, provider_id ?? '');
    else await followRefunds(payments, payment_no, provider_payment_id ?? '');
  }
}

async function compare(world: World, payments: PaymentDeps): Promise<NonNullable<Found>[]> {
  const all: NonNullable<Found>[] = [];
  const add = (found: Found): void => {
    if (found !== null) all.push(found);
  };
  const [time] = partsOf(begins_at, world.clock.now(), Infinity);
  if (time === undefined) return [{ failure: 'no time' }];
  for (const channel of world.channels) {
    if (channel.provider !== 'cardprov') continue;
    const read = await readProvider(payments, channel, time, { known: new Set(), signal: undefined });
    if ('failure' in read) return [read];
    for (const session of read.sessions) add(await comparePayment(payments, channel, session, 'command'));
    for (const refund of read.refunds) add(await compareRefund(payments, channel, refund));
    for (const dispute of read.disputes) add(await compareDispute(payments, channel, dispute));
  }
  return all;
}
