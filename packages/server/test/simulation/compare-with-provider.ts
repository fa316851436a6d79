import type { PaymentDeps } from '../../src/payments/engine/index.ts';
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
  const problems: Problem[] = [];
  const add = (found: Found): void => {
    if (found !== null)
      problems.push(`comparison: ${'failure' in found ? found.failure : differenceInWords(found)}`);
  };
  const [all] = partsOf(begins_at, world.clock.now(), Infinity);
  if (all === undefined) return ['comparison: no time'];
  for (const channel of world.channels) {
    if (channel.provider !== 'cardprov') continue;
    const read = await readProvider(payments, channel, all, { known: new Set(), signal: undefined });
    if ('failure' in read) return [`comparison: ${read.failure}`];
    for (const session of read.sessions) add(await comparePayment(payments, channel, session, 'command'));
    for (const refund of read.refunds) add(await compareRefund(payments, channel, refund));
    for (const dispute of read.disputes) add(await compareDispute(payments, channel, dispute));
  }
  return problems;
}
