export { selectClientPage, selectClients } from './client.sql.ts';
export { type Client, grantedScopes, secretMatches } from './client.ts';
export {
  type FindClient,
  createClient,
  createFindClient,
  editClient,
  isClientSecret,
  rotateClientSecret,
  setClientScopes,
} from './clients.ts';
export { countPendingApplications } from './scope-application.sql.ts';
export type { ApplicationWithClient, ScopeApplication, ScopeDecision } from './scope-application.ts';
export {
  applyForScopes,
  decideApplication,
  latestApplications,
  listApplications,
  ownClient,
} from './scope-applications.ts';
export { type Scope, isScope, scopes, userScopes } from './scopes.ts';
