export { createFiguresAnywhere } from './platform-figures.ts';
export { figuresJson } from './figures.ts';
export { countUnresolved, selectBeginnings, selectCreated, selectPaid } from './figures.sql.ts';
