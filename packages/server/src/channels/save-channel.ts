/** Creates and changes channels. */
import type { Tx } from '../base/pg/index.ts';
import { AppError } from '../base/errors.ts';
import { type Channel, checkChannel } from './channel.ts';
import { insertChannel, selectChannelForUpdate, updateChannelRow } from './channel.sql.ts';

/** Throws `invalid_request` with `field`. */
export async function createChannel(tx: Tx, channel: Channel): Promise<Channel> {
  const checked = checkChannel(channel);
  await insertChannel(tx, checked);
  return checked;
}

/** Changes a channel. Quotes of existing orders keep their fees. */
export async function updateChannel(
  tx: Tx,
  payment_no: string,
  change: (channel: Channel) => Channel,
): Promise<{ before: Channel; after: Channel }> {
  const before = await selectChannelForUpdate(tx, payment_no);
  if (before === null) throw new AppError('not_found');
  const after = checkChannel(change(before));
  await updateChannelRow(tx, after);
  return { before, after };
}
