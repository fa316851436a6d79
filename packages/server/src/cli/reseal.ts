import { setTimeout as pause } from 'node:timers/promises';
import { openKeyRing, reseal } from '../base/keys/index.ts';
import type { Database } from '../base/pg/index.ts';
import type { SecretBox } from '../base/secret-box.ts';
import { measuredClock } from '../base/clocks/measured-clock.ts';
import type { Clock } from '../base/time/clock.ts';
import { endorseOlderKeys } from '../seals/index.ts';
import { CommandError } from './shared/command-errors.ts';
import { type CommandContext, withDatabase } from './shared/command.ts';
import { canBeRemoved, readKeyUses, removable, wordsOf } from './key-report.ts';
import { demandSecretKeys } from './shared/secret-keys.ts';

/**
 * `paydesk reseal`: seals everything again under the first secret key, while the service runs. An interrupted run
 * continues where it stopped. Exit code 1 if an older key is still needed.
 */
export async function resealCommand({ config }: CommandContext): Promise<number> {
  const secret_keys = await demandSecretKeys(config);
  return withDatabase(
    config,
    'paydesk reseal',
    async (db) => {
      const clock = await measuredClock(db);
      const box = await openKeyRing(db, secret_keys, clock.real());
      const failed = await resealAll(db, box);
      await endorse({ db, clock, box });
      return reportOlderKeys(db, box, failed);
    },
    { statement_timeout_ms: 0, max: 4 },
  );
}

/**
 * Runs twice: what the service has copied from an old value meanwhile is found the second time.
 *
 * @returns how many values did not open
 */
async function resealAll(db: Database, box: SecretBox): Promise<number> {
  const failed = new Set<string>();
  for (let run = 1; run <= 2; run++) {
    await reseal(db, box, ({ place, resealed, failures }) => {
      if (resealed > 0) console.log(`${place}: ${resealed} resealed`);
      for (const failure of failures) {
        if (!failed.has(failure)) console.error(`${place}: ${failure}`);
        failed.add(failure);
      }
    });
  }
  return failed.size;
}

/** How often to try while a worker seals the books; each of its passes takes seconds at most. */
const tries = 100;

async function endorse(deps: { db: Database; clock: Clock; box: SecretBox }): Promise<void> {
  for (let i = 0; i < tries; i++) {
    if (await endorseOlderKeys(deps)) return;
    await pause(200);
  }
  throw new CommandError('A worker seals the books: run this command again.');
}

async function reportOlderKeys(db: Database, box: SecretBox, failed: number): Promise<number> {
  const others = (await readKeyUses(db, box)).filter(({ kind }) => kind === 'older' || kind === 'missing');
  if (others.length === 0) console.log(`Everything is sealed with key ${box.key_id}, the only one.`);
  const needed = others.filter((use) => !canBeRemoved(use));
  for (const line of needed.flatMap(wordsOf)) console.log(line);
  if (failed > 0) {
    console.log(
      `${failed} values did not open, as said above: enter these secrets again, or restore their rows.`,
    );
  } else if (needed.some(({ kind }) => kind === 'older')) {
    console.log(
      `An older key is still needed: put key ${box.key_id} first for every process, restart them, and run this command again.`,
    );
  }
  const unneeded = others.filter(canBeRemoved);
  if (unneeded.length > 0) {
    // D-1363: the data does not tell what the processes have.
    console.log(
      `Every process must have key ${box.key_id} first: else it still seals with an older one. Run "npx paydesk keys" again before you remove a key.`,
    );
  }
  for (const use of unneeded) console.log(removable(use));
  return needed.length === 0 ? 0 : 1;
}
