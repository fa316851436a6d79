/** Compares the providers' records with ours, every night and on request. */
export { type Difference, differenceInWords } from './difference.ts';
export { type ProviderRecords } from './read-provider.ts';
export { reconcileChannel } from './reconcile-channel.ts';
export { reconcilable, reconcileWhenDue } from './reconcile-when-due.ts';
export {
  type Reconciliation,
  selectReconciliations,
  selectStandingReconciliations,
} from './reconciliation.sql.ts';
