/**
 * A reporter for Vitest: how long each project of a run took, also what runs in a browser and the simulation, so that
 * what becomes slow is noticed.
 */

/** @typedef {{ files: number, tests: number, ms: number }} Sum */

/**
 * Adds up what every file of a project took: its imports, its setup, its hooks and its tests.
 *
 * @param {readonly import('vitest/node').TestModule[]} modules
 * @returns {Map<string, Sum>} by the project's name, `browser` or `simulation`
 */
export function sumByProject(modules) {
  /** @type {Map<string, Sum>} */
  const sums = new Map();
  for (const module of modules) {
    const [, part] = /\/test\/(browser|simulation)\//.exec(module.moduleId) ?? [];
    const name = part ?? module.project.name;
    const sum = sums.get(name) ?? { files: 0, tests: 0, ms: 0 };
    const { environmentSetupDuration, prepareDuration, collectDuration, setupDuration, duration } =
      module.diagnostic();
    sum.files += 1;
    sum.tests += [...module.children.allTests()].length;
    sum.ms += environmentSetupDuration + prepareDuration + collectDuration + setupDuration + duration;
    sums.set(name, sum);
  }
  return sums;
}

/**
 * A line for each project, the slowest first, and one for all of them.
 *
 * @param {Map<string, Sum>} sums
 * @returns {string[]}
 */
export function tableOf(sums) {
  const row = (name, files, tests, seconds) =>
    `${name.padEnd(24)}${files.padStart(6)}${tests.padStart(7)}${seconds.padStart(9)}`;
  const lineOf = (name, { files, tests, ms }) =>
    row(name, String(files), String(tests), (ms / 1000).toFixed(1));
  const slowestFirst = [...sums].sort(([, one], [, other]) => other.ms - one.ms);
  const total = { files: 0, tests: 0, ms: 0 };
  for (const { files, tests, ms } of sums.values()) {
    total.files += files;
    total.tests += tests;
    total.ms += ms;
  }
  return [
    row('project', 'files', 'tests', 'seconds'),
    ...slowestFirst.map(([name, sum]) => lineOf(name, sum)),
    lineOf('all, several at a time', total),
  ];
}

/** Prints the table at the end of a run of several projects. */
export class ProjectTimes {
  /** @param {readonly import('vitest/node').TestModule[]} modules */
  onTestRunEnd(modules) {
    const sums = sumByProject(modules);
    if (sums.size > 1) console.log(`\n${tableOf(sums).join('\n')}`);
  }
}
