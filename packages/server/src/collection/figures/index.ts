/** Sales figures of a merchant and of the platform. */
export { createSales, readDays, type Sales } from './read-sales.ts';
export { createPlatformFigures } from './platform-figures.ts';
export { type MerchantFigures, rankByVolume, readMerchantFigures } from './merchant-figures.ts';
export { figuresJson } from './figures.ts';
export { selectDays } from './order-sums.sql.ts';
export { keepOrderSums, keepProgressSums, rebuildOrderSums } from './keep-sums.ts';
export { countUnresolved, selectMilestones, selectPlatformMilestones } from './figures.sql.ts';
