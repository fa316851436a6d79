export { type GivenUp, selectGivenUp, selectGivenUpCount } from './given-up.sql.ts';
export type { DeliveryFilter } from './record.sql.ts';
export {
  type DeliveryRecord,
  type MerchantRecord,
  listDeliveries,
  listMerchantDeliveries,
  replay,
  replayFailed,
} from './records.ts';
