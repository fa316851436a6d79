export { countPendingApplications } from './scope-application.sql.ts';
export type { ApplicationWithClient, ScopeApplication, ScopeDecision } from './scope-application.ts';
export {
  applyForScopes,
  decideApplication,
  latestApplications,
  listApplications,
  ownClient,
} from './scope-applications.ts';
