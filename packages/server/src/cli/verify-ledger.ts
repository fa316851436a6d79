import { openDatabase, sql } from '../base/db.ts';
import { verifyLedger } from '../ledger/verify.ts';
import { type CommandContext, readOptions, withDatabaseUrl } from './command.ts';

/** Prints every imbalance and drift; exit code 1 where there is any. */
export async function verifyLedgerCommand({ args, config }: CommandContext): Promise<number> {
  readOptions(args, {});
  return withDatabaseUrl(config, 'paydesk verify-ledger', async (url) => {
    const db = openDatabase({
      url,
      max: 1,
      application_name: 'paydesk verify-ledger',
      statement_timeout_ms: 0,
    });
    try {
      // One snapshot for all of it, so that payments made meanwhile do not look like drift.
      const found = await db.transaction(async (tx) => {
        await tx.query(sql`SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY`);
        return verifyLedger(tx);
      });
      for (const row of found.imbalances) {
        console.log(`imbalance: book ${row.owner}, ${row.posting} of ${row.subject} in ${row.currency}`);
      }
      for (const row of found.drift) {
        console.log(
          `drift: ${row.account} of ${row.owner} is stored as ${row.stored.toString()}, its transfers say ${row.rebuilt.toString()}`,
        );
      }
      console.log(
        found.ok
          ? `The books balance: ${found.entries.toString()} entries checked.`
          : `The books do not balance: ${found.imbalances.length} imbalances, ${found.drift.length} drifted balances.`,
      );
      return found.ok ? 0 : 1;
    } finally {
      await db.close();
    }
  });
}
