export type { SignInLimits } from './limits.ts';
export { passkeySignInRoutes } from './passkey-sign-in-routes.ts';
export { objectOf } from './session-json.ts';
export { sessionRoutes } from './session-routes.ts';
export { type SignInPageDeps, pageRoutes, saidOf } from './sign-in-page-routes.ts';
