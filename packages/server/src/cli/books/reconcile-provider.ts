import { createLog } from '../../base/log.ts';
import { OffsetClock } from '../../base/time/clock.ts';
import { type Channel, selectChannels } from '../../channels/index.ts';
import { withPayments } from '../../compose/payments-alone.ts';
import { differenceInWords, reconcilable, reconcileChannel } from '../../payments/reconciliation/index.ts';
import { CommandError } from '../shared/command-errors.ts';
import { type CommandContext, withDatabase } from '../shared/command.ts';
import { readSpan } from '../shared/read-time.ts';
import { demandSecretKeys } from '../shared/secret-keys.ts';

/**
 * `paydesk reconcile-provider`: compares each card channel with its provider and prints what one side lacks. The result
 * is kept. Exit code 1 if something differs or a provider could not be read.
 */
export async function reconcileProviderCommand({ options, flags, config }: CommandContext): Promise<number> {
  readSpan(options, new OffsetClock().real());
  const keys = await demandSecretKeys(config);
  return withDatabase(
    config,
    'paydesk reconcile-provider',
    (db) =>
      withPayments({ config, db, log: createLog('silent') }, keys, async (payments) => {
        // Times of the provider are real ones, whatever the test clock says.
        const span = readSpan(options, payments.clock.real());
        const channels = chooseChannels(await selectChannels(db), options.channel);
        const results = [];
        for (const channel of channels) {
          const { result } = await reconcileChannel(payments, channel, { ...span, run_by: 'command' });
          results.push({ name: channel.name, ...result });
        }
        if (flags.has('json')) console.log(JSON.stringify(results, null, 2));
        else for (const result of results) printResult(result);
        if (channels.length === 0 && !flags.has('json')) console.log('There is no enabled card channel.');
        return results.every(({ differences, failure }) => differences.length === 0 && failure === null)
          ? 0
          : 1;
      }),
    { max: 2 },
  );
}

function chooseChannels(all: readonly Channel[], named: string | undefined): readonly Channel[] {
  if (named === undefined) return reconcilable(all);
  const channel = all.find(({ payment_no }) => payment_no === named);
  if (channel?.provider !== 'cardprov') throw new CommandError(`There is no card channel ${named}.`);
  return [channel];
}

type Result = Awaited<ReturnType<typeof reconcileChannel>>['result'] & { name: string };

function printResult({ name, payment_no, payments, events, differences, failure }: Result): void {
  for (const difference of differences) console.log(differenceInWords(difference));
  const channel = `${name} (${payment_no})`;
  if (failure !== null) console.log(`${channel}: the provider could not be read: ${failure}.`);
  else {
    const count = differences.length === 1 ? '1 difference' : `${differences.length} differences`;
    const result = differences.length === 0 ? 'nothing differs' : count;
    console.log(`${channel}: ${payments} payments and ${events} events at the provider, ${result}.`);
  }
}
