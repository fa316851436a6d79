export type { ConnectedApps } from './account-page-routes.ts';
export { accountRoutes } from './account-routes.ts';
