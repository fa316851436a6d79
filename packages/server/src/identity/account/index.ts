/** The account page and its calls: profile, second factors, passkeys. */
export type { ConnectedApps, ReadActivity } from './account-page-routes.ts';
export { accountRoutes } from './account-routes.ts';
