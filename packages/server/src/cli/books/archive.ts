/** The command that moves rows of closed orders into files. */
import { join } from 'node:path';
import { type IdSource, lowestUuid, merchantNo, systemIds } from '../../base/ids.ts';
import { measuredClock } from '../../base/clocks/measured-clock.ts';
import type { Database } from '../../base/pg/index.ts';
import { days, hours, later, rfc3339 } from '../../base/time/clock.ts';
import type { Clock } from '../../base/time/clock.ts';
import {
  type CollectedPart,
  collectPart,
  type Left,
  selectArchivePlaces,
  takeOut,
} from '../../collection/archiving/index.ts';
import { selectVerificationMark } from '../../ledger/verification/index.ts';
import { selectMerchants } from '../../merchants/index.ts';
import { type ArchiveFile, archiveLines, readArchive, settledUntil } from '../../seals/archive/index.ts';
import { openSink, publicKeyPem, selectSealKeys } from '../../seals/index.ts';
import { readBooksOverview, type VerificationDeps, verifyAndKeep } from '../../verification/index.ts';
import { CommandError, UsageError } from '../shared/command-errors.ts';
import { type CommandContext, withDatabase } from '../shared/command.ts';
import { readTime } from '../shared/read-time.ts';
import { readBox } from '../shared/secret-keys.ts';
import {
  appendTo,
  type ManifestFile,
  nameOf,
  openFolder,
  removeHalves,
  readLines,
  readManifest,
  unlisted,
  writeFileOf,
} from './archive-folder.ts';
import { showOrder } from './show-order.ts';

const usualDays = 540;
const fewestDays = 120;
/** Merchants that are read at once. */
const merchantPage = 1_000;
/** Orders in one file. */
const usualFileSize = 1_000;

/** `paydesk archive`: moves rows of closed orders into files, or prints what the files have of one order (D-470, D-477). */
export function archiveCommand({ options, flags, config }: CommandContext): Promise<number> {
  const { before, to, show, from } = options;
  if (show !== undefined) {
    if (from === undefined) throw new UsageError('archive --show needs --from DIR.');
    return showOrder(from, show);
  }
  if (before === undefined) throw new UsageError('archive needs --before DATE.');
  if (to === undefined && !flags.has('dry-run')) throw new UsageError('archive needs --to DIR.');
  const chargeback_days = readDays(options['chargeback-days']);
  return withDatabase(
    config,
    'paydesk archive',
    async (db) => {
      const clock = await measuredClock(db);
      const until = readTime('before', before, clock.now());
      if (until > later(clock.now(), -days(chargeback_days))) {
        throw new UsageError(
          `--before must be ${chargeback_days} days ago or more (--chargeback-days): until then a bank can take a payment back.`,
        );
      }
      const box = await readBox(config);
      const sink = config.seal_sink === null ? null : openSink(config.seal_sink);
      const folder = flags.has('dry-run') ? null : (to ?? null);
      const verify = (when: string) => verifyBooks({ db, clock, box, sink }, when);
      if (folder !== null) await verify('Nothing was moved');
      // Without a key or a settled seal nothing leaves.
      const pem = (await publicKeyPem(db, box)) ?? '';
      const { seal_no } = await selectVerificationMark(db);
      const settled_at = (await settledUntil(db, seal_no, sink?.name ?? null)) ?? new Date(0);
      const sum = await archiveOrders(
        { db, clock, ids: systemIds(), pem, before: until, settled_at },
        folder,
      );
      console.log(wordsOf(sum, folder));
      if (folder !== null && sum.orders > 0) await verify('What was moved is in the files');
      return 0;
    },
    { statement_timeout_ms: 0 },
  );
}

/**
 * Checks what is new in the books, and with it each order that has left (D-479).
 *
 * @throws CommandError if something is wrong, or was found by an earlier check and stands
 */
async function verifyBooks(deps: VerificationDeps, when: string): Promise<void> {
  await verifyAndKeep(deps, { kind: 'incremental', verified_by: 'command' });
  const { findings } = (await readBooksOverview(deps.db)).standing;
  if (findings > 0) {
    throw new CommandError(
      `${when}, and the books do not balance: run "paydesk verify-ledger", which names ${findings} findings.`,
    );
  }
}

function readDays(text: string | undefined): number {
  const number = text === undefined ? usualDays : /^\d{1,5}$/.test(text) ? Number(text) : NaN;
  if (!(number >= fewestDays)) throw new UsageError(`--chargeback-days must be a number from ${fewestDays}.`);
  return number;
}

/** What a run works with. */
export interface ArchiveRun {
  db: Database;
  clock: Clock;
  ids: IdSource;
  /** The public keys that files are verified with. */
  pem: string;
  before: Date;
  settled_at: Date;
  file_size?: number;
  /** Called at each step, for tests that stop there. */
  step?: (name: 'named' | 'listed' | 'batch' | 'taken') => void | Promise<void>;
}

/** What a run has moved, or would move. */
export interface ArchiveSum {
  orders: number;
  events: number;
  quotes: number;
  files: number;
  left_alone: number;
}

/**
 * Moves the rows of closed orders into files of a folder; with null it only counts. First continues where a run before
 * it was interrupted: each file whose rows may still be here.
 *
 * Invariant: no row is deleted before a file with it has its name, is on the disk, was read back and verified, and is in
 * the manifest (D-475).
 */
export async function archiveOrders(run: ArchiveRun, folder: string | null): Promise<ArchiveSum> {
  const sum: ArchiveSum = { orders: 0, events: 0, quotes: 0, files: 0, left_alone: 0 };
  if (folder !== null) {
    await openFolder(folder);
    await removeHalves(folder, later(run.clock.now(), -hours(24)));
    for (const file of await unlisted(folder, await readManifest(folder))) await list(run, folder, file);
    const { files, taken } = await readManifest(folder);
    for (const file of files) if (!taken.has(file.file)) await empty(run, folder, file, sum);
  }
  for await (const merchant_id of merchantsOf(run.db)) {
    for (let after: string | null = ''; after !== null;) {
      const request = { merchant_id, before: run.before, settled_at: run.settled_at };
      const limit = run.file_size ?? usualFileSize;
      const part: CollectedPart = await collectPart(run.db, { ...request, after, limit });
      after = part.last;
      sum.left_alone += part.left_alone;
      if (part.orders.length === 0) continue;
      if (folder === null) count(sum, leavingOf(part));
      else await file(run, folder, { merchant_id, part, sum });
    }
  }
  return sum;
}

async function* merchantsOf(db: Database): AsyncGenerator<string> {
  for (let after = lowestUuid; ;) {
    const page = await selectMerchants(db, after, merchantPage);
    for (const { merchant_id } of page) yield merchant_id;
    const last = page.at(-1);
    if (last === undefined || page.length < merchantPage) return;
    after = last.merchant_id;
  }
}

const leavingOf = ({ orders, rows }: CollectedPart): Left => ({
  orders: orders.length,
  events: rows.filter(({ kind }) => kind === 'event').length,
  quotes: rows.filter(({ kind }) => kind === 'quote').length,
});

async function file(
  run: ArchiveRun,
  folder: string,
  { merchant_id, part, sum }: { merchant_id: string; part: CollectedPart; sum: ArchiveSum },
): Promise<void> {
  const now = run.clock.now();
  const merchant_no = merchantNo(merchant_id);
  const about = { merchant_id, merchant_no, before: rfc3339(run.before), written_at: rfc3339(now) };
  const name = nameOf(merchant_no, run.ids.ulid(now));
  await writeFileOf(folder, name, archiveLines({ ...about, ...part }, await selectSealKeys(run.db)));
  await run.step?.('named');
  await empty(run, folder, await list(run, folder, name), sum);
}

/** Reads a file back, verifies it, and puts it into the manifest. */
async function list(run: ArchiveRun, folder: string, name: string): Promise<ManifestFile> {
  const { archive, sha256, bytes } = await readVerified(run, folder, name);
  const { merchant_no, before, written_at, orders, rows } = archive;
  const numbers = orders.map(({ order_no }) => order_no).sort();
  const entry: ManifestFile = {
    ...{ file: name, sha256, bytes, merchant_no, orders: orders.length, rows: rows.length },
    ...{ first_order: numbers[0] ?? '', last_order: numbers.at(-1) ?? '', before, written_at },
  };
  await appendTo(folder, entry);
  await run.step?.('listed');
  return entry;
}

async function readVerified(
  { pem }: ArchiveRun,
  folder: string,
  name: string,
): Promise<{ archive: ArchiveFile; sha256: string; bytes: number }> {
  const { lines, sha256, bytes } = await readLines(join(folder, name));
  const faults: string[] = [];
  const archive = readArchive(lines, pem, (words) => void faults.push(words));
  if (faults.length > 0) {
    throw new CommandError(
      `The file ${name} is damaged, and none of its rows was deleted now: ${faults[0] ?? ''}.`,
    );
  }
  return { archive, sha256, bytes };
}

/** Deletes the rows of a file in the manifest, and says so there. */
async function empty(run: ArchiveRun, folder: string, listed: ManifestFile, sum: ArchiveSum): Promise<void> {
  const { archive, sha256 } = await readVerified(run, folder, listed.file);
  if (sha256 !== listed.sha256) {
    throw new CommandError(
      `The file ${listed.file} is not the one that the manifest names, and nothing was deleted.`,
    );
  }
  // A file of an earlier run may name a later day than this run: then its younger orders stay.
  const before = new Date(Math.min(Date.parse(archive.before), run.before.getTime()));
  const left = await takeOut(run, archive, { file: listed.file, sha256, before }, async () =>
    run.step?.('batch'),
  );
  await appendTo(folder, { taken: listed.file, orders: left.orders, at: rfc3339(run.clock.now()) });
  await run.step?.('taken');
  sum.files++;
  const { merchant_id, orders } = archive;
  const places = await selectArchivePlaces(
    run.db,
    orders.map(({ order_no }) => ({ merchant_id, order_no })),
  );
  sum.left_alone += orders.length - places.length;
  count(sum, left);
}

function count(sum: ArchiveSum, { orders, events, quotes }: Left): void {
  sum.orders += orders;
  sum.events += events;
  sum.quotes += quotes;
}

const wordsOf = (
  { orders, events, quotes, files, left_alone }: ArchiveSum,
  folder: string | null,
): string => {
  const what = `${orders} orders with ${events} events and ${quotes} unused quotes`;
  const rest =
    left_alone === 0
      ? ''
      : ` ${left_alone} closed orders stay: their rows are not under a verified seal yet, or have changed.`;
  return folder === null
    ? `${what} would leave. Nothing was changed.${rest}`
    : `${what} are in ${files} files of ${folder}.${rest}`;
};
