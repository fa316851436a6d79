export { createFiguresAnywhere } from './figures-anywhere.ts';
export { figuresJson } from './figures.ts';
export { countUnresolved, selectBeginnings, selectCreated, selectPaid } from './order-figures.sql.ts';
