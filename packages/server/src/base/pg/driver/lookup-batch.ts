/** Sends several look-ups in one message, and gives each its answer. */
import pg from 'pg';
import type { BatchStatement } from './session-limits.ts';
import { type NamedStatement, sendAll, type Wire } from './wire.ts';

/** A row as it is read. */
export type LookupRow = Record<string, unknown>;

/** The columns of a statement's rows, each with the function that reads its text. */
export type Shape = readonly { name: string; read: (text: string) => unknown }[];

/** One statement of a batch, and the callbacks of its caller. */
export interface Question {
  /** Prepared on the connection, and ready to send. */
  statement: NamedStatement;
  shape: Shape;
  answered: (rows: LookupRow[]) => void;
  failed: (error: unknown) => void;
  /** Called if an earlier statement failed: the server has skipped this one. */
  passedOver: () => void;
}

function rowOf(shape: Shape, texts: readonly (string | null)[]): LookupRow {
  const row: LookupRow = {};
  let i = 0;
  for (const { name, read } of shape) {
    const text = texts[i++] ?? null;
    row[name] = text === null ? null : read(text);
  }
  return row;
}

/** Look-ups are prepared. The statement of the limits has no name, so it is prepared each time. */
const isPrepared = { has: (name: string): boolean => name !== '' };

/**
 * Several prepared look-ups as one message with one Sync, so the process wakes up once for all answers. Their columns
 * are known from their first use, so they are not described again.
 *
 * Invariant: each question is answered, failed or skipped exactly once, in the order of the questions.
 */
export class LookupBatch extends pg.Query {
  readonly #questions: readonly Question[];
  readonly #limits: BatchStatement | null;
  /** The question that is being answered; -1 while the limits are set. */
  #at: number;
  #rows: LookupRow[] = [];
  /** The error that made a row of the current answer unreadable. */
  #unreadable: unknown;

  /** @param limits the statement that sets the time limits of this message; null: the session has them */
  constructor(questions: readonly Question[], limits: BatchStatement | null) {
    super({ text: '' }, () => undefined);
    this.#questions = questions;
    this.#limits = limits;
    this.#at = limits === null ? 0 : -1;
  }

  override submit = (connection: pg.Connection): void => {
    const statements: (NamedStatement & { text?: string })[] = this.#questions.map(
      ({ statement }) => statement,
    );
    if (this.#limits !== null) statements.unshift({ ...this.#limits, name: '' });
    sendAll(connection as unknown as Wire, statements, isPrepared);
  };

  handleDataRow({ fields }: { fields: readonly (string | null)[] }): void {
    const question = this.#questions[this.#at];
    if (question === undefined || this.#unreadable !== undefined) return;
    try {
      this.#rows.push(rowOf(question.shape, fields));
    } catch (error) {
      this.#unreadable = error;
    }
  }

  handleCommandComplete(): void {
    const question = this.#questions[this.#at++];
    if (this.#unreadable === undefined) question?.answered(this.#rows);
    else question?.failed(this.#unreadable);
    this.#rows = [];
    this.#unreadable = undefined;
  }

  handleError(error: unknown): void {
    this.#at = Math.max(this.#at, 0);
    const [failed, ...rest] = this.#questions.slice(this.#at);
    this.#at = this.#questions.length;
    failed?.failed(error);
    for (const question of rest) question.passedOver();
  }
}
