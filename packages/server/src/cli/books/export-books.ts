import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { Readable } from 'node:stream';
import { recordAct } from '../../base/audit/index.ts';
import { systemIds } from '../../base/ids.ts';
import type { Database, Tx } from '../../base/pg/index.ts';
import { measuredClock } from '../../base/clocks/measured-clock.ts';
import { followTestClock } from '../../base/clocks/test-clock.ts';
import type { Clock } from '../../base/time/clock.ts';
import { readOneSnapshot } from '../../ledger/verification/index.ts';
import { exportLines, publicKeyPem } from '../../seals/index.ts';
import { CommandError, UsageError } from '../shared/command-errors.ts';
import { type CommandContext, withDatabase } from '../shared/command.ts';
import { readBox } from '../shared/secret-keys.ts';
import { writeWhole } from './whole-file.ts';

/**
 * `paydesk export-books`: writes all sealed facts with their seals as JSON lines, and the public key that verifies them
 * (docs/seals.md).
 */
export async function exportBooksCommand({ options, config }: CommandContext): Promise<number> {
  const { out, 'public-key-out': pem_out } = options;
  if (out === undefined) throw new UsageError('export-books needs --out FILE.');
  // The key would replace the books (D-1466).
  if (pem_out !== undefined && resolve(pem_out) === resolve(out))
    throw new UsageError('--out and --public-key-out must be two files.');
  const box = await readBox(config);
  return withDatabase(
    config,
    'paydesk export-books',
    async (db) => {
      const pem = await publicKeyPem(db, box);
      if (pem === null) throw new CommandError('Nothing has been sealed yet: run the service with a worker.');
      const clock = await measuredClock(db);
      // Otherwise its own entry in the audit log is older than the last seal, and verify-export finds it (D-1408).
      if (config.test_clock) await followTestClock(db, clock);
      const deps = { clock, ids: systemIds() };
      await recordAct(db, deps, { actor: 'command', action: 'export.books', target: 'books' });
      const lines = await writeExport(db, clock, out);
      if (pem_out !== undefined) await writeFile(pem_out, pem);
      // D-1369: it can be standard output.
      const say = resolve(out).startsWith('/dev/') ? console.error : console.log;
      say(`Wrote ${lines} lines to ${out}.`);
      return 0;
    },
    { statement_timeout_ms: 0 },
  );
}

/** Writes the lines as fast as the disk takes them, all from one snapshot. Returns how many there are. */
function writeExport(db: Database, clock: Clock, file: string): Promise<number> {
  const write = async (tx: Tx): Promise<number> => {
    const at = clock.now();
    await readOneSnapshot(tx);
    let count = 0;
    async function* counted(): AsyncGenerator<string> {
      for await (const line of exportLines(tx, at)) {
        count++;
        yield `${line}\n`;
      }
    }
    await writeWhole(file, Readable.from(counted()));
    return count;
  };
  return db.transaction(write, { unlimited: true });
}
