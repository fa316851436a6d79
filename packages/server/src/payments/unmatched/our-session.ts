import type { CardSession } from '../../channels/card/index.ts';
import type { Channel } from '../../channels/index.ts';

/**
 * Whether a session can concern us: a merchant sells other things through its own account too, and can write an `order_no`
 * or another merchant into their metadata. Sessions of ours name the channel's merchant, or at least an attempt (D-804).
 */
export const isOurSession = (
  channel: Channel,
  { reference, merchant_id }: Pick<CardSession, 'reference' | 'merchant_id'>,
): boolean =>
  channel.merchant_id === null ||
  (merchant_id === null ? reference?.startsWith('pa_') === true : merchant_id === channel.merchant_id);
