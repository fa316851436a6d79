import { OffsetClock } from '../base/time/clock.ts';
import { addFindings, recordVerification } from '../ledger/verification/index.ts';
import { verifyBooks } from '../payments/verification/index.ts';
import { findSealFaults, openSink } from '../seals/index.ts';
import { type CommandContext, readOptions, withDatabase } from './command.ts';
import { readBox } from './secret-keys.ts';

/** `paydesk verify-ledger`: checks the books and prints each finding in words. Exit code 1 if there are findings. */
export async function verifyLedgerCommand({ args, config }: CommandContext): Promise<number> {
  readOptions(args, {});
  const box = await readBox(config);
  const sink = config.seal_sink === null ? null : openSink(config.seal_sink);
  const clock = new OffsetClock();
  return withDatabase(config, 'paydesk verify-ledger', async (db) => {
    const seals = await findSealFaults(db, { clock, box, sink });
    const verification = addFindings(await verifyBooks(db), seals);
    const { ok, entries, findings } = verification;
    const by = { verified_at: clock.now(), verified_by: 'command' };
    await recordVerification(db, verification, by);
    for (const { kind, book, words } of findings) {
      console.log(book === null ? `${kind}: ${words}` : `${kind}: in the book of ${book}, ${words}`);
    }
    console.log(
      ok
        ? `The books balance: ${entries.toString()} entries checked.`
        : `The books do not balance: ${findings.length === 1 ? '1 finding' : `${findings.length} findings`} in ${entries.toString()} entries.`,
    );
    return ok ? 0 : 1;
  });
}
