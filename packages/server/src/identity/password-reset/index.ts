/** Resetting a forgotten password. */
export { passwordResetRoutes } from './password-reset-routes.ts';
export { type AppTokens, sendDueReset } from './password-reset.ts';
