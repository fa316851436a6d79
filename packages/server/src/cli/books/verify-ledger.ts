import { measuredClock } from '../../base/clocks/measured-clock.ts';
import { openSink } from '../../seals/index.ts';
import { readBooksOverview, verifyAndKeep } from '../../verification/index.ts';
import { type CommandContext, withDatabase } from '../shared/command.ts';
import { readBox } from '../shared/secret-keys.ts';

/**
 * `paydesk verify-ledger`: checks the books and prints each finding in words. Exit code 1 if there are findings. With
 * `--since-last` it checks what is new since the last check, and what that touches; findings of earlier checks that stand
 * count too.
 */
export async function verifyLedgerCommand({ flags, config }: CommandContext): Promise<number> {
  const box = await readBox(config);
  const sink = config.seal_sink === null ? null : openSink(config.seal_sink);
  return withDatabase(config, 'paydesk verify-ledger', async (db) => {
    const clock = await measuredClock(db);
    const asked = flags.has('since-last') ? 'incremental' : 'full';
    const checked = await verifyAndKeep({ db, clock, box, sink }, { kind: asked, verified_by: 'command' });
    const { ok, entries, findings, kind } = checked;
    for (const { kind: of, book, words } of findings) {
      console.log(book === null ? `${of}: ${words}` : `${of}: in the book of ${book}, ${words}`);
    }
    if (kind !== asked) console.log('There is no earlier check to begin from, so everything was checked.');
    const noun = entries === 1n ? 'entry' : 'entries';
    const what = kind === 'full' ? noun : `new ${noun}`;
    console.log(
      ok
        ? `The books balance: ${entries.toString()} ${what} checked.`
        : `The books do not balance: ${findings.length === 1 ? '1 finding' : `${findings.length} findings`} in ${entries.toString()} ${what}.`,
    );
    const { standing } = await readBooksOverview(db);
    const older = standing.findings - findings.length;
    if (older > 0) {
      console.log(
        `${older === 1 ? '1 finding' : `${older} findings`} of earlier checks ${older === 1 ? 'stands: only a full check looks at it' : 'stand: only a full check looks at them'} again.`,
      );
    }
    return ok && older <= 0 ? 0 : 1;
  });
}
