/** Counts the payment work that waits, for the overview and the metrics. */
export { type Unclear, type Waiting, countUndecided } from './backlog.sql.ts';
export { readPaymentBacklog, readUnclearChannels } from './backlog.ts';
