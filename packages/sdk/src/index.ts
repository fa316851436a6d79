/** The public exports of the SDK. */
export type { CallOptions } from './client/calls.ts';
export type { Catalog, UserCallOptions } from './client/catalog.ts';
export type * from './client/catalog-types.ts';
export { createClient, type ClientOptions, type PaydeskClient } from './client/client.ts';
export { sameAmount } from './decimal.ts';
export type { Attempt } from './client/http.ts';
export type {
  AuthorizationInput,
  AuthorizationRequest,
  CodeInput,
  UserInfo,
  UserToken,
} from './client/oauth.ts';
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
  verifyStandardWebhook,
  type HeaderSource,
  type VerifyFailure,
  type VerifyInput,
  type VerifyResult,
} from './verify-notification.ts';
