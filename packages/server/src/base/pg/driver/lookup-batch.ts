import pg from 'pg';
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

/**
 * Several prepared look-ups as one message with one Sync, so the process wakes up once for all answers. Their columns
 * are known from their first use, so they are not described again.
 *
 * Invariant: each question is answered, failed or skipped exactly once, in the order of the questions.
 */
export class LookupBatch extends pg.Query {
  readonly #questions: readonly Question[];
  /** The question that is being answered. */
  #at = 0;
  #rows: LookupRow[] = [];
  /** The error that made a row of the current answer unreadable. */
  #unreadable: unknown;

  constructor(questions: readonly Question[]) {
    super({ text: '' }, () => undefined);
    this.#questions = questions;
  }

  override submit = (connection: pg.Connection): void => {
    sendAll(
      connection as unknown as Wire,
      this.#questions.map(({ statement }) => statement),
    );
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
    const [failed, ...rest] = this.#questions.slice(this.#at);
    this.#at = this.#questions.length;
    failed?.failed(error);
    for (const question of rest) question.passedOver();
  }
}
