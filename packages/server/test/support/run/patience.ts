/**
 * Limits of a database far above those of production: for any number of calls of a test at once, and on a busy machine,
 * no call is refused for that. Tests of a limit set it themselves.
 */
export const patient = {
  connect_ms: 20_000,
  statement_timeout_ms: 30_000,
  lookup_timeout_ms: 20_000,
  lock_patience_ms: 60_000,
};
