export {
  deleteExpiredOneTimeTokens,
  deleteOneTimeTokensOf,
  insertOneTimeToken,
  selectOneTimeToken,
  takeOneTimeToken,
} from './one-time-token.sql.ts';
