export { type Hold, endHold, selectHold, selectReleases, setHoldFrozen } from './hold.sql.ts';
export { holdFrom } from './start-hold.ts';
export { releaseDueHolds } from './release-holds.ts';
export { releaseOf } from './release-entry.ts';
