import { distribute, lineOf, plannedPlacements, usualShards } from '../../base/pg/index.ts';
import { type CommandContext, withDatabaseUrl } from '../shared/command.ts';
import { UsageError } from '../shared/command-errors.ts';

/** `paydesk distribute`: distributes the tables of the database over the nodes of its Citus cluster (D-336, D-426). */
export async function distributeCommand({ options, flags, config }: CommandContext): Promise<number> {
  const shards = Number(options.shards ?? usualShards);
  if (!Number.isInteger(shards) || shards < 1 || shards > 1_000) {
    throw new UsageError('--shards must be a whole number from 1 to 1000.');
  }
  const say = (line: string): void => {
    console.log(line);
  };
  await withDatabaseUrl(config, 'paydesk distribute', async (url) => {
    if (flags.has('dry-run')) {
      const planned = await plannedPlacements(url, say);
      planned.map(lineOf).forEach(say);
      say(`${planned.length} table(s) would be distributed. Nothing was changed.`);
      return;
    }
    const placed = await distribute(url, { shards, say });
    say(placed === 0 ? 'All tables are distributed.' : `Distributed ${placed} table(s).`);
  });
  return 0;
}
