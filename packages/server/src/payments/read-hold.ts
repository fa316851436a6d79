export { type Hold, selectHold as readHold } from './hold.sql.ts';
