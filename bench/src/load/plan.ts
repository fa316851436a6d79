/** What the load generator does, and what it returns. */
import type { CoreUse } from './core-use.ts';

/** A request. `{0}`, `{1}` … stand for the members of a row. */
export interface RequestTemplate {
  method: 'GET' | 'POST';
  path: string;
  headers?: Readonly<Record<string, string>>;
  body?: string;
}

/** The pace of the requests. */
export type Pace =
  /** Every row once, as fast as the answers come. Nothing is timed. */
  | { kind: 'all' }
  /** Closed loop: each connection sends its next request after the previous answer. */
  | { kind: 'closed'; warm_up_s: number; seconds: number }
  /** Open loop: requests start at a constant rate, independent of the answers. */
  | { kind: 'constant'; per_second: number; warm_up_s: number; seconds: number };

/** One run of the load generator. */
export interface LoadPlan {
  origin: string;
  /** The process under load, whose use of the cores is measured; none if it has several. */
  pid?: number;
  connections: number;
  pace: Pace;
  template: RequestTemplate;
  /** Each row makes one request. */
  rows: readonly (readonly string[])[];
  /** Whether to start again at the first row after the last one. Otherwise the run ends. */
  repeat: boolean;
  /** The status that every answer must have. */
  expect: number;
  /** Members of the JSON answers to return, as strings. */
  keep: readonly string[];
}

export interface LoadResult {
  /** Expected answers per second, in the timed part. */
  rate: number;
  /** Expected answers in the timed part. */
  answers: number;
  seconds: number;
  /** Expected answers in the whole run, including the warm-up. */
  all_answers: number;
  /** Latency from the time when a request was due to the end of its answer. */
  p50_ms: number;
  p99_ms: number;
  max_ms: number;
  /** How the cores were used in the timed part. */
  use: CoreUse;
  /** Number of other answers and failures in the whole run, and the text of the first one. */
  wrong: number;
  first_wrong: string;
  /** Whether the rows ended before the time was over. */
  ran_out: boolean;
  /** The kept members by row; null if the answer was not the expected one. */
  kept: (string[] | null)[];
}

/** Replaces `{0}`, `{1}` … in a text by the members of a row. */
export function filled(text: string, row: readonly string[]): string {
  return text.replace(/\{(\d+)\}/g, (all, index: string) => row[Number(index)] ?? all);
}
