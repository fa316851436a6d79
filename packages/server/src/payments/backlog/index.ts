export { type Unclear, type Waiting, countUndecided } from './backlog.sql.ts';
export { paymentBacklog, unclearChannels } from './backlog.ts';
