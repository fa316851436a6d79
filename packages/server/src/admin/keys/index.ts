/** Named administration keys. */
export { type AdminKey, environmentActor, keyActor, statusOfKey } from './admin-key.ts';
export { selectAdminKey, selectAdminKeys } from './admin-key.sql.ts';
export { changeAsAdministrator, runAsAdministrator } from './as-administrator.ts';
export { createKey, ownerOf, type Revoked, revokeKey } from './change-keys.ts';
export { demandKey } from './lock-sender.ts';
export { useKey } from './use-key.ts';
