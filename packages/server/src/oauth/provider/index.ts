export { type FindVisitor, authorizeRoutes } from './authorize-routes.ts';
export { libraryCaller } from './call-library.ts';
export { jwksPath, metadata, metadataPath } from './metadata.ts';
export { createProvider } from './provider.ts';
export { publicKeys } from './signing-key.ts';
export { tokenRoutes } from './token-routes.ts';
export { userinfoRoutes } from './userinfo-routes.ts';
