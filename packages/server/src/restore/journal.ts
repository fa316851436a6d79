/**
 * What a run of `after-restore` has done, line by line in a file beside its letters. What it settles no longer differs, so
 * the run that follows a killed one knows of it only from here (D-1393).
 */
import { open, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
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
}

/**
 * Works with a journal, and removes it when the work is done: then the letters have everything.
 *
 * @param folder of the letters
 */
export async function usingJournal<T>(folder: string, work: (journal: Journal) => Promise<T>): Promise<T> {
  const path = join(folder, '.unfinished.jsonl');
  const file = await open(path, 'a', 0o600);
  const lines = (await readFile(path, 'utf8')).split('\n').flatMap(entryOf);
  const append = async (entry: object): Promise<void> => {
    await file.appendFile(`\n${JSON.stringify(entry)}`);
    await file.datasync();
  };
  const journal: Journal = {
    done: lines.filter((line): line is Handled => 'verdict' in line),
    begun: lines.filter((line): line is Begun => !('verdict' in line)),
    begin: append,
    end: append,
  };
  try {
    const result = await work(journal);
    await rm(path);
    return result;
  } finally {
    await file.close();
  }
}

/** The last line of a killed run may be half. */
function entryOf(line: string): (Handled | Begun)[] {
  try {
    return [JSON.parse(line) as Handled | Begun];
  } catch {
    return [];
  }
}

/** Two runs find the same difference under the same words. */
export const differenceKey = ({ kind, payment_no, provider_payment_id, provider_id }: Difference): string =>
  [kind, payment_no, provider_payment_id, provider_id].join(' ');
