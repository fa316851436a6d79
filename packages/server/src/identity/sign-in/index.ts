/** Signing in and out, and the limits on tries. */
export { accountKey, judge, type SignInLimits } from './limits.ts';
export { passkeySignInRoutes } from './passkey-sign-in-routes.ts';
export { messageOf } from './refusal-message.ts';
export { objectOf } from './session-json.ts';
export { sessionListRoutes } from './session-list-routes.ts';
export { sessionRoutes } from './session-routes.ts';
export { type SignInPageDeps, signInPageRoutes } from './sign-in-page-routes.ts';
