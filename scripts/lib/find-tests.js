/** Finds the tests that a developer asks for: by requirement number, by file, or by a word of their names. */
import { citationsOf, namesOf, rangesIn } from './test-names.js';

/**
 * @typedef {{ path: string, source: string }} TestFile a test file: its path from the root, and its text
 *
 * @typedef {object} Found
 * @property {string[]} files the paths to run
 * @property {string} [pattern] what the names of the tests have to match; absent: whole files
 * @property {string[]} lines what was found, for the developer
 */

/**
 * The tests for everything asked. Several files are added together, and so are several numbers and words; with both,
 * only tests with such names in such files are meant.
 *
 * @param {string[]} asked
 * @param {TestFile[]} all
 * @returns {Found}
 */
export function findTests(asked, all) {
  const answers = asked.map((wanted) => find(wanted, all));
  const places = answers.filter(({ patterns }) => patterns.length === 0);
  const names = answers.filter(({ patterns }) => patterns.length > 0);
  const inPlaces = new Set(places.flatMap(({ files }) => files));
  const withNames = new Set(names.flatMap(({ files }) => files));
  const files = all
    .map(({ path }) => path)
    .filter(
      (path) => (places.length === 0 || inPlaces.has(path)) && (names.length === 0 || withNames.has(path)),
    );
  const patterns = new Set(names.flatMap((answer) => answer.patterns));
  return {
    files: answers.some((answer) => answer.files.length === 0) ? [] : files,
    ...(patterns.size === 0 ? {} : { pattern: [...patterns].join('|') }),
    lines: answers.map(({ line }) => line),
  };
}

/** @typedef {{ files: string[], patterns: string[], line: string }} Answer no pattern: the whole files are meant */

/** These take minutes: a number or a word finds them only where nothing else has it. */
const takesMinutes = /\/test\/(crash|simulation)\//;

/**
 * @param {string} wanted
 * @param {TestFile[]} all
 * @returns {Answer}
 */
function find(wanted, all) {
  if (/^[RDH]-\d+$/i.test(wanted)) return byNumber(wanted.toUpperCase(), all);
  const ways = [byFile, byName, byPartOfPath];
  return (
    ways.map((way) => way(wanted, all)).find(({ files }) => files.length > 0) ?? {
      files: [],
      patterns: [],
      line: `No test file is called "${wanted}", and no test has it in its name.`,
    }
  );
}

/** @type {(number: string, all: TestFile[]) => Answer} */
function byNumber(number, all) {
  const citing = all
    .map(({ path, source }) => ({
      path,
      names: citationsOf(source)
        .filter(({ numbers }) => numbers.includes(number))
        .map(({ name }) => name),
    }))
    .filter(({ names }) => names.length > 0);
  if (citing.length === 0) return { files: [], patterns: [], line: `No test cites ${number}.` };
  const patterns = citing.flatMap(({ names }) => names.flatMap((name) => spellings(name, number)));
  const paths = citing.map(({ path }) => path);
  return { patterns: [...new Set(patterns)], ...withoutLong(paths, `${number} is cited by tests in`) };
}

/**
 * How a name spells a number: as it is, or as a range that holds it.
 *
 * @param {string} name
 * @param {string} number
 */
const spellings = (name, number) =>
  rangesIn(name)
    .filter(({ numbers }) => numbers.includes(number))
    .map(({ text }) => `${literally(text)}(?!\\d)`);

/**
 * Leaves out what takes minutes, and says so.
 *
 * @param {string[]} paths
 * @param {string} words what the line begins with
 */
function withoutLong(paths, words) {
  const quick = paths.filter((path) => !takesMinutes.test(path));
  const files = quick.length === 0 ? paths : quick;
  const left = paths.filter((path) => !files.includes(path));
  const found = `${words} ${count(files, 'file')}.`;
  const more = `These take minutes and run when you name them: ${left.join(', ')}.`;
  return { files, line: left.length === 0 ? found : `${found} ${more}` };
}

/** A path, the name of a file without its ending, or the name of a folder. @type {(wanted: string, all: TestFile[]) => Answer} */
function byFile(wanted, all) {
  const path = wanted.replace(/^\.\//, '').replace(/\/$/, '');
  const isPath = /[/.]/.test(path);
  const files = pathsOf(all, (one) =>
    isPath
      ? one.includes(path)
      : one
          .replace(/\.test\.\w+$/, '')
          .split('/')
          .includes(path),
  );
  return { files, patterns: [], line: `"${wanted}" is in the path of ${count(files, 'file')}.` };
}

/** @type {(wanted: string, all: TestFile[]) => Answer} */
function byName(wanted, all) {
  const small = wanted.toLowerCase();
  const paths = all
    .filter(({ source }) => namesOf(source).some((name) => name.toLowerCase().includes(small)))
    .map(({ path }) => path);
  const pattern = Array.from(wanted, (char) =>
    char.toLowerCase() === char.toUpperCase()
      ? literally(char)
      : `[${char.toLowerCase()}${char.toUpperCase()}]`,
  ).join('');
  return { patterns: [pattern], ...withoutLong(paths, `"${wanted}" is in the names of tests in`) };
}

/** @type {(wanted: string, all: TestFile[]) => Answer} */
function byPartOfPath(wanted, all) {
  const small = wanted.toLowerCase();
  const files = pathsOf(all, (path) => path.toLowerCase().includes(small));
  return { files, patterns: [], line: `"${wanted}" is in the path of ${count(files, 'file')}.` };
}

/** @type {(all: TestFile[], isWanted: (path: string) => boolean) => string[]} */
const pathsOf = (all, isWanted) => all.map(({ path }) => path).filter(isWanted);

/** @param {string} text */
const literally = (text) => text.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&');

/** @param {unknown[]} things @param {string} what */
const count = (things, what) => `${things.length} ${what}${things.length === 1 ? '' : 's'}`;
