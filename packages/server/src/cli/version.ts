import { release } from '../base/release.ts';

/** `paydesk version`: prints the version, whatever the environment says, so that it also helps where a setting is wrong. */
export function versionCommand(): number {
  console.log(release);
  return 0;
}
