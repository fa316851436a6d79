/** Receivers of notifications: which of them fail, since when, and who is told. */
export {
  failingReceivers,
  listFailingReceivers,
  readHealth,
  type ReceiverHealth,
  totalFailingReceivers,
} from './shown-health.ts';
export { type AddressedResult, noteResults, type ReceiverDeps, type ReceiverMail } from './note-results.ts';
export { endpointOf, failuresToTell } from './failing-receiver.ts';
export { deleteForgottenReceivers, selectAnyFailing } from './receiver.sql.ts';
