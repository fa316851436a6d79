import { openKeyRing } from '../base/keys/index.ts';
import { measuredClock } from '../base/clocks/measured-clock.ts';
import { type CommandContext, withDatabase } from './shared/command.ts';
import { readKeyUses, wordsOf } from './key-report.ts';
import { demandSecretKeys } from './shared/secret-keys.ts';

/**
 * `paydesk keys`: counts what each key still seals or derives. Exit code 1 if values need a key that is not in
 * PAYDESK_SECRET_KEY.
 */
export async function keysCommand({ config }: CommandContext): Promise<number> {
  const secret_keys = await demandSecretKeys(config);
  return withDatabase(
    config,
    'paydesk keys',
    async (db) => {
      const clock = await measuredClock(db);
      const box = await openKeyRing(db, secret_keys, clock.real());
      const uses = await readKeyUses(db, box);
      for (const line of uses.flatMap(wordsOf)) console.log(line);
      return uses.some(({ kind }) => kind === 'missing') ? 1 : 0;
    },
    { statement_timeout_ms: 0 },
  );
}
