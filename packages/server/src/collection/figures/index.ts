/** Sales figures of a merchant and of the platform. */
export { createPlatformFigures } from './platform-figures.ts';
export { figuresJson } from './figures.ts';
export { countUnresolved, selectMilestones, selectCreated, selectPaid } from './figures.sql.ts';
