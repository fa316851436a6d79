import type { CommandContext } from '../shared/command.ts';
import type { Usage } from '../shared/usage.ts';

const usage: Usage = {
  name: 'rebuild-sums',
  about: 'add up all orders and accounts again for the consoles',
  description: [
    'Deletes the sums that a worker keeps for home pages, sales, the overview, the figures of merchants, the list of ledger accounts and what the platform owes, and rebuilds them: sums of orders, of how far orders came, of how their payments ended, of accounts, and of what is owed. verify-ledger says if they differ. The service can run meanwhile: figures stay exact, and are slower.',
  ],
  exits: { 0: 'all sums are made', 1: 'they could not be made' },
  example: ['paydesk rebuild-sums'],
};

async function load(): Promise<(context: CommandContext) => Promise<number>> {
  const { measuredClock } = await import('../../base/clocks/measured-clock.ts');
  const { rebuildOrderSums } = await import('../../collection/figures/index.ts');
  const { rebuildAccountSums } = await import('../../ledger/sums/index.ts');
  const { withDatabase } = await import('../shared/command.ts');
  return ({ config }) =>
    withDatabase(config, 'paydesk rebuild-sums', async (db) => {
      await rebuildAccountSums(db);
      await rebuildOrderSums({ db, clock: await measuredClock(db) });
      console.log('The sums of all orders and accounts were rebuilt.');
      return 0;
    });
}

/** `paydesk rebuild-sums`, which computes all sums again (D-663). */
export const rebuildSums = { usage, load };
