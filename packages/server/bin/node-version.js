/**
 * Which versions of Node.js run Paydesk. The program and the scripts of the repository refuse others at their start. An
 * old Node.js must be able to read this file, too.
 */

/** The lowest minor version of each supported major version; from `newest` on every version is taken. */
const lowest = new Map([
  [20, 19],
  [22, 12],
]);
const newest = 24;

const wanted = 'install Node.js 24 (recommended), 22.12 or a later 22, or 20.19 or a later 20';

/**
 * Tells in one line why this version cannot run Paydesk.
 *
 * @param {string} version such as 20.19.0
 * @returns {string | null} null: it can
 */
export function refusalOfNode(version) {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const least = lowest.get(major);
  if (major >= newest || (least !== undefined && minor >= least)) return null;
  return `Paydesk does not run on Node.js ${version}: ${wanted}.`;
}
