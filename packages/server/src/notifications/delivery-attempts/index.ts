/** Attempts to deliver a notification: their schedule, signature and stored results. */
export {
  giveUpInterrupted,
  insertDeliveryAttempts,
  leaseNotifications,
  markInterrupted,
  withdrawDeliveryAttempts,
} from './delivery-attempt.sql.ts';
export {
  type DeliveryAttemptDeps,
  type ClaimedDelivery,
  deliveryTimeout_ms,
  UnsentError,
  makeDeliveryAttempt,
  signedHeaders,
} from './delivery-attempt.ts';
export { purgeOldDeliveryAttempts } from './purge-delivery-attempts.ts';
export { type ResultWriter, createResultWriter } from './result-writer.ts';
export { sendTestEvent, type TestDelivery, testEventAct } from './test-event.ts';
export { type PostDeps, postOutsideOutbox } from './post-outside-outbox.ts';
export { maxAutomaticAttempts, nextDeliveryAttempt } from './retry-schedule.ts';
export { unixSeconds } from './signature.ts';
