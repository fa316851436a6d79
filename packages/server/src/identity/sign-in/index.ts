/** Signing in and out, and the limits on tries. */
export { accountKey, judge, type SignInLimits } from './limits.ts';
export { rememberAgain, rememberNewPassword } from './known-devices.ts';
export { beginInBrowser } from './browser-sign-in.ts';
export { passkeySignInRoutes } from './passkey-sign-in-routes.ts';
export { messageOf } from './refusal-message.ts';
export { beginSessionFor } from './sign-in.ts';
export { objectOf } from './session-json.ts';
export { sessionListRoutes } from './session-list-routes.ts';
export { sessionRoutes } from './session-routes.ts';
export {
  pathOf,
  type PurchaseAt,
  type SignInPageDeps,
  signInPageRoutes,
  targetOf,
} from './sign-in-page-routes.ts';
