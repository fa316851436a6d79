/** Holds: when the proceeds of an order become available to the merchant. */
export { type Hold, endHold, selectHold, selectReleases, setHoldFrozen } from './hold.sql.ts';
export { startHold } from './start-hold.ts';
export { releaseDueHolds } from './release-holds.ts';
export { releaseTransfers } from './release-entry.ts';
