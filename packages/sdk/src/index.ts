/** The public exports of the SDK. */
export { createClient, type CallOptions, type ClientOptions, type PaydeskClient } from './client.ts';
export { sameAmount } from './decimal.ts';
export { PaydeskError, type PaydeskErrorInit } from './paydesk-error.ts';
export {
  decidePosting,
  isPaid,
  type Difference,
  type Expected,
  type OrderState,
  type PostingDecision,
  type StoredState,
} from './posting.ts';
export { readRawBody } from './raw-body.ts';
export {
  reconcile,
  type Duplicate,
  type OwnRecord,
  type Pair,
  type ReconciledOrder,
  type Reconciliation,
} from './reconcile.ts';
export type * from './types.ts';
export {
  signNotification,
  verifyNotification,
  type HeaderSource,
  type VerifyFailure,
  type VerifyInput,
  type VerifyResult,
} from './verify-notification.ts';
