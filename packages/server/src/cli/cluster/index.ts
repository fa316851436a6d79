/** Commands for a database that is distributed over several servers (docs/scaling.md). */
import type { CommandContext } from '../shared/command.ts';
import type { Usage } from '../shared/usage.ts';

interface Distributing {
  readonly usage: Usage;
  readonly load: () => Promise<(context: CommandContext) => Promise<number>>;
}

export const distributing: readonly Distributing[] = [
  {
    usage: {
      name: 'distribute',
      about: 'distribute the tables over the nodes of a Citus cluster (docs/scaling.md)',
      description: [
        'Looks at the engine, its version, its settings and its nodes. Then it distributes each table that is not distributed yet, with its rows and triggers: those of merchants by merchant, wallets by person, all others on every node. Stop the service before. Run it with the DATABASE_URL of the owner of the tables; what was interrupted is completed by the next run.',
      ],
      options: [
        {
          name: 'shards',
          value: 'N',
          about: 'in how many parts merchants, and people, are cut; it counts only the first time',
          otherwise: '32',
        },
        { name: 'dry-run', about: 'list what would be distributed; change nothing' },
      ],
      exits: {
        0: 'all tables are distributed, or what is left is listed',
        1: 'the cluster is not ready, or a process of the service is connected',
      },
      example: ["DATABASE_URL='postgres://owner:secret@coordinator/paydesk' paydesk distribute --shards 32"],
    },
    load: async () => (await import('./distribute.ts')).distributeCommand,
  },
  {
    usage: {
      name: 'nodes',
      about: 'print the nodes of a distributed database, and its biggest merchants',
      description: [
        'Prints each node with its number of shards and their size. Then it counts the rows of each merchant in the largest table, which reads that table once.',
      ],
      exits: { 0: 'they are printed', 1: 'the database is not distributed' },
      example: ['paydesk nodes'],
    },
    load: async () => (await import('./nodes.ts')).nodesCommand,
  },
  {
    usage: {
      name: 'move-merchant',
      about: 'give a merchant separate shards, and move them to a node',
      description: [
        'Takes the rows of one merchant out of the shards that it shares, and moves them to another node. Where the servers have wal_level = logical, the merchant’s requests continue meanwhile; otherwise its writes wait.',
      ],
      argument: { name: 'MERCHANT', about: 'the id of the merchant' },
      options: [
        {
          name: 'to',
          value: 'HOST:PORT',
          about: 'the node; without it, the one with the fewest bytes beside the present one',
        },
      ],
      exits: { 0: 'the merchant has moved', 1: 'the database is not distributed, or there is no such node' },
      example: ['paydesk move-merchant 0190d2a4-… --to worker-3:5432'],
    },
    load: async () => (await import('./move-merchant.ts')).moveMerchantCommand,
  },
];
