export { insertQuotes as quotesToStore } from './quotes/quote.sql.ts';
