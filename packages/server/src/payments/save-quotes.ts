export { insertQuotes as quotesToStore } from './payment.sql.ts';
