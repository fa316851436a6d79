/**
 * What a run of `after-restore` has done, line by line in a file beside its letters. What it settles no longer differs, so
 * the run that follows a killed one knows of it only from here (D-1393).
 */
import { open, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { selectActs, selectAuditEntriesById } from '../base/audit/index.ts';
import type { Queryable } from '../base/pg/index.ts';
import type { Difference } from '../payments/reconciliation/index.ts';
import type { Handled } from './settle-missing.ts';

/** A difference before anything was done about it. */
export interface Begun extends Difference {
  /** Whether the books had the order that it names. */
  is_known_order: boolean;
}

export interface Journal {
  /** What an earlier run has done and told in no letter. */
  readonly done: readonly Handled[];
  /** What it had begun, also what it has done since. */
  readonly begun: readonly Begun[];
  begin(difference: Begun): Promise<void>;
  end(handled: Handled): Promise<void>;
  /** Leaves what was begun to the next run: its provider could not be read (D-1460). */
  leave(difference: Begun): void;
  /** Leaves everything to the next run: this one writes no letters (D-1373). */
  keep(): void;
}

interface OfRestore {
  db: Queryable;
  /** The time to which the database was restored, or a little earlier. */
  since: Date;
  folder: string;
  /** Gets lines about the progress. */
  tell: (line: string) => void;
}

/** A line, with the entry of the audit log by which its run holds traffic. */
type Line = (Handled | Begun) & { hold_id: string };

/**
 * Works with a journal. When the work is done, the letters have everything except what the work leaves or keeps: only that
 * stays in the journal. Call it while traffic is held.
 *
 * @param of.folder of the letters
 */
export async function usingJournal<T>(of: OfRestore, work: (journal: Journal) => Promise<T>): Promise<T> {
  const path = join(of.folder, '.unfinished.jsonl');
  const [hold] = await selectActs(of.db, { target: 'service', action: 'traffic.hold' }, 1);
  const file = await open(path, 'a', 0o600);
  const lines = await ofThisRestore(of, (await readFile(path, 'utf8')).split('\n').flatMap(lineOf));
  const append = async (entry: object): Promise<void> => {
    await file.appendFile(`\n${JSON.stringify({ ...entry, hold_id: hold?.audit_id })}`);
    await file.datasync();
  };
  const left: Begun[] = [];
  const outcome = { isKept: false };
  const journal: Journal = {
    done: lines.filter((line): line is Handled & Line => 'verdict' in line),
    begun: lines.filter((line): line is Begun & Line => !('verdict' in line)),
    begin: append,
    end: append,
    leave: (difference) => left.push(difference),
    keep: () => {
      outcome.isKept = true;
    },
  };
  try {
    const result = await work(journal);
    if (outcome.isKept) return result;
    if (left.length === 0) await rm(path);
    else await replaceFile(path, left);
    return result;
  } finally {
    await file.close();
  }
}

async function replaceFile(path: string, lines: readonly Begun[]): Promise<void> {
  const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
  await writeFile(`${path}.new`, text, { mode: 0o600, flush: true });
  await rename(`${path}.new`, path);
}

/**
 * Without what a run did after another restore (D-1386): in a database that was restored once more, to a time before its hold
 * or long after it. Its orders were delivered long ago, or need no one.
 */
async function ofThisRestore({ db, since, tell }: OfRestore, lines: Line[]): Promise<Line[]> {
  const holds = await selectAuditEntriesById(
    db,
    lines.map(({ hold_id }) => hold_id),
  );
  const known = new Set(holds.filter(({ at }) => at >= since).map(({ audit_id }) => audit_id));
  const own = lines.filter(({ hold_id }) => known.has(hold_id));
  if (own.length < lines.length) tell('What a run after another restore did is in no letter.');
  return own;
}

/** The last line of a killed run may be half. */
function lineOf(line: string): Line[] {
  try {
    return [JSON.parse(line) as Line];
  } catch {
    return [];
  }
}

/** Two runs find the same difference under the same words. */
export const differenceKey = ({ kind, payment_no, provider_payment_id, provider_id }: Difference): string =>
  [kind, payment_no, provider_payment_id, provider_id].join(' ');
