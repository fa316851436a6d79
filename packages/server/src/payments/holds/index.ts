export { type Hold, endHold, selectHold, selectReleases, setHoldFrozen } from './hold.sql.ts';
export { holdFrom, releaseDueHolds, releaseOf } from './release-holds.ts';
