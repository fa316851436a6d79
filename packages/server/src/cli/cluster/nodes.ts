import { addressOf, readCluster } from '../../base/pg/index.ts';
import { type CommandContext, withDatabaseUrl } from '../shared/command.ts';

/** How many merchants are named. */
const most = 10;
const mebibyte = 1_048_576n;

/** `paydesk nodes`: prints the nodes of a distributed database, and its biggest merchants. */
export async function nodesCommand({ config }: CommandContext): Promise<number> {
  const { nodes, largest } = await withDatabaseUrl(config, 'paydesk nodes', (url) => readCluster(url, most));
  for (const node of nodes) {
    const notes = [
      ...(node.group === 0 ? ['coordinator'] : []),
      ...(node.active ? [] : ['not active']),
      ...(node.holds_shards ? [] : ['holds no merchants']),
    ];
    const note = notes.length === 0 ? '' : ` (${notes.join(', ')})`;
    console.log(`${addressOf(node)}${note}: ${node.shards} shards, ${node.bytes / mebibyte} MiB`);
  }
  if (largest === null || largest.merchants.length === 0) return 0;
  console.log(`The merchants with the most rows in ${largest.table}:`);
  for (const { merchant_id, rows, node } of largest.merchants) {
    console.log(`${merchant_id}: ${rows} rows, on ${node}`);
  }
  return 0;
}
