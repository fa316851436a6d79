export {
  deleteExpiredOneTime,
  deleteOneTimeOf,
  insertOneTime,
  selectOneTime,
  takeOneTime,
} from './one-time-token.sql.ts';
