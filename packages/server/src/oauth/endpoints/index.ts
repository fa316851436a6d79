/** The HTTP endpoints of the authorization server. */
export { type AuthorizeDeps, authorizeRoutes, type FindVisitor } from './authorize-routes.ts';
export { consentRoutes } from './consent-routes.ts';
export { metadata } from './metadata.ts';
export { tokenRoutes } from './token-routes.ts';
export { userinfoRoutes } from './userinfo-routes.ts';
