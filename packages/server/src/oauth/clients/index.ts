/** OAuth clients: their scopes and secrets. */
export { assertionAlgorithms } from './client-keys.ts';
export { secretMatches } from './client-secret.ts';
export { selectClientForUpdate, selectClientPage, selectClients, selectClientsByIds } from './client.sql.ts';
export { type Client, checkScopes, grantedScopes, mayCallFrom } from './client.ts';
export { type FindClient, createFindClient, isClientSecret } from './read-clients.ts';
export {
  createClient,
  changeForMerchant,
  editClient,
  rotateClientSecret,
  setClientKeys,
  setClientScopes,
} from './save-client.ts';
export { type Scope, isScope, scopes, userScopes } from './scopes.ts';
