/** One question to the provider and what it showed, for the operator. */
export interface HistoryNote {
  at: string;
  /** What was asked; null where somebody else's answer or decision came in. */
  asked: string | null;
  seen: string;
  /** How often the same was asked and seen in a row, and when last; absent for once. */
  times?: number;
  last_at?: string;
}

const maxNotes = 20;

/** The notes with one more: what repeats itself is counted, and of many only the latest are kept. */
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
