/** The public exports of the SDK. */
export type { CallOptions } from './calls.ts';
export type { Catalog, UserCallOptions } from './catalog.ts';
export type * from './catalog-types.ts';
export { createClient, type ClientOptions, type PaydeskClient } from './client.ts';
export { sameAmount } from './decimal.ts';
export type { Attempt } from './http.ts';
export type { AuthorizationInput, AuthorizationRequest, CodeInput, UserInfo, UserToken } from './oauth.ts';
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
