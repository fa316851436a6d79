export { insertQuotes as quotesToStore } from './attempts/attempt.sql.ts';
