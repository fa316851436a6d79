/** Sales figures of a merchant and of the platform. */
export { createSales, readDays, type Sales } from './read-sales.ts';
export { createPlatformFigures } from './platform-figures.ts';
export { type MerchantFigures, readMerchantFigures } from './merchant-figures.ts';
export { figuresJson } from './figures.ts';
export { keepOrderSums, readDays as readOrderSums } from './keep-sums.ts';
export { keepProgressSums, rebuildOrderSums } from './keep-progress.ts';
export { countUnresolved, selectMilestones, selectPlatformMilestones } from './figures.sql.ts';
