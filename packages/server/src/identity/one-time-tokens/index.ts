/** One-time tokens for links and sign-in steps. */
export {
  deleteExpiredOneTimeTokens,
  deleteOneTimeTokensOf,
  insertOneTimeToken,
  selectOneTimeToken,
  takeOneTimeToken,
} from './one-time-token.sql.ts';
