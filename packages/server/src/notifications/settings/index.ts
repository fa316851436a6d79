/** A merchant's notification endpoint and signing secret. */
export { checkDefaults, defaultsOf, rotateDefaultSecret, saveDefaults } from './defaults.ts';
export {
  type DefaultTarget,
  type NotifyConfig,
  effectiveTarget,
  parseNotifyConfig,
} from './notify-parameters.ts';
export {
  newSigningSecret,
  openSigningSecret,
  refuseClientSecret,
  sealSigningSecret,
} from './signing-secret.ts';
