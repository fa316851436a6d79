/** The platform's settings, which administrators change while the service runs, and its branding. */
export { type Branding, brandingJson, brandingOf, defaultBranding, type StoredBranding } from './branding.ts';
export { isReadableAccent, leastContrast } from './colour.ts';
export { logoOf, maxLogoBytes } from './logo.ts';
export {
  type BrandLogo,
  changeSettings,
  readSettings,
  type Settings,
  type SettingsWrite,
  type TopUpSettings,
} from './settings.ts';
export { type LiveBranding, watchBranding } from './watch-branding.ts';
