/** What to send. `{0}`, `{1}` … stand for the members of a row. */
export interface RequestTemplate {
  method: 'GET' | 'POST';
  path: string;
  headers?: Readonly<Record<string, string>>;
  body?: string;
}

/** How requests follow one another. */
export type Pace =
  /** Every row once, as fast as the connections answer; nothing is timed. */
  | { kind: 'all' }
  /** Closed loop: each connection sends its next request when the last one is answered. */
  | { kind: 'closed'; warm_up_s: number; seconds: number }
  /** Open loop: requests arrive at a constant rate, whether or not earlier ones are answered. */
  | { kind: 'constant'; per_second: number; warm_up_s: number; seconds: number };

/** One run of the load generator. */
export interface LoadPlan {
  origin: string;
  connections: number;
  pace: Pace;
  template: RequestTemplate;
  /** Each row makes one request. */
  rows: readonly (readonly string[])[];
  /** Begin again where the rows end; otherwise the run ends there. */
  repeat: boolean;
  /** The status that every answer must have. */
  expect: number;
  /** Members of the JSON answers to give back, as text. */
  keep: readonly string[];
}

export interface LoadResult {
  /** Expected answers per second, in the timed part. */
  rate: number;
  /** Expected answers in the timed part. */
  answers: number;
  seconds: number;
  /** Expected answers in the whole run, the warm-up included. */
  all_answers: number;
  /** From the moment a request was due to the end of its answer. */
  p50_ms: number;
  p99_ms: number;
  max_ms: number;
  /** Other answers and failures, of the whole run, and what the first of them said. */
  wrong: number;
  first_wrong: string;
  /** The rows ended before the time was up. */
  ran_out: boolean;
  /** The kept members by row; null where the answer was not as expected. */
  kept: (string[] | null)[];
}

/** Puts the members of a row into a text. */
export function filled(text: string, row: readonly string[]): string {
  return text.replace(/\{(\d+)\}/g, (all, index: string) => row[Number(index)] ?? all);
}
