export { type ConnectedApps, accountRoutes } from './account-routes.ts';
export { pageRoutes } from './page-routes.ts';
export { sendDueReset } from './password-reset.ts';
export { resetRoutes } from './reset-routes.ts';
