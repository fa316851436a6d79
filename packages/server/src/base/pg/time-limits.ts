/**
 * How long the service waits for the database. A call answers within ten seconds, whatever the database does (H-25): it
 * waits for a connection (`connect_ms`), then for an answer (`answerLimit`). In milliseconds; a timeout of 0 means no
 * limit.
 */
export interface Limits {
  /** To wait for a free connection of the pool, or to open one. */
  connect_ms: number;
  /** Of a statement, at the server. */
  statement_timeout_ms: number;
  /** Of a look-up, at the server. A look-up whose connection is lost is asked twice. */
  lookup_timeout_ms: number;
  /** Of a wait for one lock, by the first try. 0 also turns off further tries. */
  lock_timeout_ms: number;
  /** Of a wait for one lock, by a further try. Few tries wait that long at once. */
  long_lock_timeout_ms: number;
  /** Of a transaction that sends nothing, at the server. */
  idle_limit_ms: number;
  /** After this time, work that finds locks taken is not tried again. */
  lock_patience_ms: number;
  /** Between two checks of a connection that only listens. */
  heartbeat_ms: number;
  /** Behind a pooler that passes no notifications on: time between two looks whether it does now. */
  listen_retry_ms: number;
}

export const usualLimits: Limits = {
  connect_ms: 3_000,
  statement_timeout_ms: 5_500,
  lookup_timeout_ms: 2_000,
  lock_timeout_ms: 100,
  long_lock_timeout_ms: 1_000,
  idle_limit_ms: 60_000,
  lock_patience_ms: 7_500,
  heartbeat_ms: 5_000,
  listen_retry_ms: 60_000,
};

/** Time that an answer takes beyond the statement itself. If it takes longer, the connection is taken for lost. */
const travel_ms = 500;

/** How long a process waits for the answer to a statement; undefined: no limit. */
export const answerLimit = (statement_timeout_ms: number): number | undefined =>
  statement_timeout_ms === 0 ? undefined : statement_timeout_ms + travel_ms;
