/**
 * Limits of a database far above those of production: however much a test does at once, and however busy the machine is,
 * no call is refused for that. Tests of a limit set it themselves.
 */
export const patient = {
  connect_ms: 20_000,
  statement_timeout_ms: 30_000,
  lookup_timeout_ms: 20_000,
  lock_patience_ms: 60_000,
};
