export { type ConnectedApps, accountRoutes } from './account-routes.ts';
