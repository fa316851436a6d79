/** The library for OpenID Connect, configured and with its storage. */
export { type CallLibrary, libraryCaller } from './call-library.ts';
export { errors } from './library.ts';
export {
  authorizePath,
  interactionPath,
  jwksPath,
  metadataPath,
  revocationPath,
  signInPath,
  tokenPath,
  userinfoPath,
} from './paths.ts';
export { mayAct, grantableScopes } from './policy.ts';
export { createProvider } from './provider.ts';
export { publicKeys } from './signing-key.ts';
export { type Visitor, setVisitor } from './visitor.ts';
