import { InvariantError } from '../../base/errors.ts';
import type { Channel } from '../../channels/index.ts';
import type { PaymentDeps } from '../engine/index.ts';

/**
 * Checks that the provider can be asked, before an attempt says that it was. A key that does not open is a fault of
 * ours: no attempt begins, and one that exists stays as it is (D-091, D-199).
 *
 * @throws SecretError
 */
export async function demandKey(
  { channels, cards }: Pick<PaymentDeps, 'channels' | 'cards'>,
  payment_no: string,
): Promise<Channel> {
  const channel = await channels.find(payment_no);
  if (channel === null) throw new InvariantError('a quote without its channel');
  cards.checkKey(channel);
  return channel;
}
