import { moveMerchant } from '../../base/pg/index.ts';
import { type CommandContext, withDatabaseUrl } from '../shared/command.ts';
import { UsageError } from '../shared/command-errors.ts';

const isUuid = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

/** `paydesk move-merchant ID`: gives a merchant separate shards, and moves them to a node (D-426). */
export async function moveMerchantCommand({ argument, options, config }: CommandContext): Promise<number> {
  if (!isUuid.test(argument)) throw new UsageError('MERCHANT must be the id of a merchant.');
  await withDatabaseUrl(config, 'paydesk move-merchant', (url) =>
    moveMerchant(url, { merchant_id: argument, to: options.to ?? null }, (line) => {
      console.log(line);
    }),
  );
  return 0;
}
