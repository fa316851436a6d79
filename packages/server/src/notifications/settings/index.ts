/** A merchant's notification endpoint and signing secret. */
export { checkDefaults, defaultsOf, rotateDefaultSecret, saveDefaults } from './defaults.ts';
export { type NotifyConfig, type NotifyTarget, effectiveTarget, parseNotifyConfig } from './notify-config.ts';
export { requireReadable, sealSigningSecret } from './signing-secret.ts';
