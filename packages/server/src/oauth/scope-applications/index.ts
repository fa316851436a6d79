/** Merchants' applications for scopes, and the decisions on them. */
export { countPendingApplications } from './scope-application.sql.ts';
export type { ApplicationWithClient, ScopeApplication, ScopeDecision } from './scope-application.ts';
export {
  applyForScopes,
  decideApplication,
  latestApplications,
  listApplications,
  lockOwnClient,
} from './apply-and-decide.ts';
