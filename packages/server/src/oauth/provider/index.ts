/** The library for OpenID Connect, configured and with its storage. */
export { endCode } from './adapter.ts';
export { runForProgram } from './program-address.ts';
export type { CallLibrary } from './call-library.ts';
export { errors } from './load-library.ts';
export { createCurrentProvider } from './current-provider.ts';
export { fromLibraryTime } from './library-time.ts';
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
export { mayAct, grantableScopes } from './consent-policy.ts';
export { lifetimes_s } from './provider.ts';
export { createSigningKeys } from './signing-keys.ts';
export { type Visitor, setVisitor } from './visitor.ts';
