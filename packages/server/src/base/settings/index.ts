/** The platform's settings, which administrators change while the service runs. */
export { type Settings, changeSettings, readSettings } from './settings.ts';
