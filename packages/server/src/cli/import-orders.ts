import { createReadStream } from 'node:fs';
import { access, constants } from 'node:fs/promises';
import { basename } from 'node:path';
import { recordAct } from '../base/audit/index.ts';
import { importOrders, type Refusal } from '../collection/importing/index.ts';
import { openKeyRing } from '../base/keys/index.ts';
import { measuredClock } from '../base/clocks/measured-clock.ts';
import type { Database } from '../base/pg/index.ts';
import type { Clock } from '../base/time/clock.ts';
import { systemIds } from '../base/ids.ts';
import { CommandError } from './shared/command-errors.ts';
import { type CommandContext, withDatabase } from './shared/command.ts';
import { inBatches, readLines } from './read-lines.ts';
import { demandSecretKeys } from './shared/secret-keys.ts';

/** Number of lines that are imported together. */
const batchSize = 500;
/** Number of lines between two reports of progress. */
const progressInterval = 100_000;

/** `paydesk import-orders`: imports orders of an older system (docs/import.md). Exit code 1 if a line was refused. */
export async function importOrdersCommand({
  argument: file,
  flags,
  config,
}: CommandContext): Promise<number> {
  const dry_run = flags.has('dry-run');
  await access(file, constants.R_OK).catch(() => {
    throw new CommandError(`The file ${file} cannot be read.`);
  });
  const keys = await demandSecretKeys(config);
  return withDatabase(config, 'paydesk import-orders', async (db) => {
    const clock = await measuredClock(db);
    const { inner_key_id: token_key_id } = await openKeyRing(db, keys, clock.real());
    const counts = await importFile({ db, clock }, file, { token_key_id, dry_run });
    console.log(summary(counts, dry_run));
    return counts.refused > 0 ? 1 : 0;
  });
}

const act = { actor: 'command', action: 'orders.import' };

/** Numbers of lines so far. */
interface Counts {
  lines: number;
  imported: number;
  /** Orders that had been imported before. */
  known: number;
  refused: number;
}

/** Imports the file batch by batch, so that memory does not grow with the file. */
async function importFile(
  { db, clock }: { db: Database; clock: Clock },
  file: string,
  { token_key_id, dry_run }: { token_key_id: string; dry_run: boolean },
): Promise<Counts> {
  const counts: Counts = { lines: 0, imported: 0, known: 0, refused: 0 };
  const merchants = new Map<string, boolean>();
  const ids = systemIds();
  const record = (after: Counts | null): Promise<void> =>
    recordAct(db, { clock, ids }, { ...act, target: `file:${basename(file)}`, after });
  // Before the first order is stored: the process can end at any line.
  if (!dry_run) await record(null);
  const lines = readLines(createReadStream(file) as AsyncIterable<Buffer>);
  for await (const batch of inBatches(lines, batchSize)) {
    const { imported, known, refused } = await importOrders(
      { db, clock, token_key_id, merchants, dry_run },
      batch,
    );
    for (const refusal of refused) console.error(refusalLine(refusal));
    counts.imported += imported;
    counts.known += known;
    counts.refused += refused.length;
    const before = counts.lines;
    counts.lines += batch.length;
    if (Math.floor(before / progressInterval) < Math.floor(counts.lines / progressInterval))
      console.error(summary(counts, dry_run));
  }
  if (counts.imported > 0 && !dry_run) await record(counts);
  return counts;
}

const refusalLine = ({ number, field, problem }: Refusal): string =>
  `line ${number}: ${field === null ? '' : `${field}: `}${problem}`;

const summary = ({ lines, imported, known, refused }: Counts, dry_run: boolean): string =>
  `${lines} lines: ${imported} ${dry_run ? 'would be imported' : 'imported'}, ${known} there already, ${refused} refused.`;
