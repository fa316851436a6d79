/** Access tokens: checked, stored, revoked, deleted. */
export {
  type Bearer,
  type BearerChecks,
  type Caller,
  type UserCaller,
  createBearerChecks,
} from './bearer-check.ts';
export { purgeExpiredTokens } from './purge-tokens.ts';
export { type WriteToken, createTokenWriter } from './token-writer.ts';
export { deleteByGrant, deleteToken, insertGrantedToken, selectToken } from './token.sql.ts';
