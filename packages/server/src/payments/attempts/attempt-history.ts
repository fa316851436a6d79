/** The history of questions to the provider and its answers, which an attempt keeps for the operator. */
/** One question and its answer. */
export interface HistoryNote {
  at: string;
  /** The question; null if a decision of a person came in. */
  asked: string | null;
  seen: string;
  /** How often in a row, and the last time; absent if once. */
  times?: number;
  last_at?: string;
}

const maxNotes = 20;

/** Adds a note. A repeated note is counted, and only the latest notes are kept. */
export function withNote(
  notes: readonly HistoryNote[],
  { asked, seen }: Pick<HistoryNote, 'asked' | 'seen'>,
  now: Date,
): HistoryNote[] {
  const at = now.toISOString();
  const last = notes.at(-1);
  if (last?.asked === asked && last.seen === seen) {
    return [...notes.slice(0, -1), { ...last, times: (last.times ?? 1) + 1, last_at: at }];
  }
  return [...notes, { at, asked, seen }].slice(-maxNotes);
}
