export { type Unclear, type Waiting, countUndecided } from './backlog.sql.ts';
export { readPaymentBacklog, readUnclearChannels } from './backlog.ts';
