/**
 * Which test proves which requirement: reads the names of all tests and writes docs/requirements-tests.md.
 *
 *   node scripts/requirements.js                         write the table
 *   node scripts/requirements.js --check                 exit 1 if the table is stale or a test cites an unknown number
 *   node scripts/requirements.js --missing R-001-R-127,H-05
 *                                                        print which of these no test cites
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { numbersOfList, readCitations } from './lib/test-names.js';
import { root } from './lib/workspace.js';

const list_path = 'docs/requirements.md';
const table_path = 'docs/requirements-tests.md';

/** The numbers that the list defines, in its order. */
export function definedIn(markdown) {
  return Array.from(markdown.matchAll(/^- \*\*([RDH]-\d+)\*\* /gm), (match) => match[1]);
}

/** The table's text from what is defined and what is cited (`file`, `name`, `numbers`). */
export function tableOf(defined, citations) {
  const tests = new Map(defined.map((number) => [number, new Set()]));
  for (const { file, name, numbers } of citations) {
    for (const number of numbers) tests.get(number)?.add(`\`${file}\`: ${escaped(name)}`);
  }
  const sections = [
    ['Requirements', 'R'],
    ['Decisions', 'D'],
    ['HTTP manners', 'H'],
  ];
  const parts = sections.map(([title, kind]) => {
    const rows = Array.from(tests).filter(([number]) => number.startsWith(kind));
    const cited = rows.filter(([, names]) => names.size > 0).length;
    const lines = rows.map(([number, names]) => `| ${number} | ${Array.from(names).join('<br>') || '–'} |`);
    const head = ['| number | tests |', '| --- | --- |'];
    return [`## ${title}`, '', `${cited} of ${rows.length} are cited by a test.`, '', ...head, ...lines].join(
      '\n',
    );
  });
  const about =
    'Which test proves which number of [requirements.md](requirements.md). Written by\n' +
    '`node scripts/requirements.js` from the names of the tests; do not edit it by hand.';
  return `${['# Requirements and their tests', about, ...parts].join('\n\n')}\n`;
}

function escaped(name) {
  return name.replaceAll(/[\\`*_[\]<>|]/g, (char) => `\\${char}`);
}

function readTable() {
  try {
    return readFileSync(join(root, table_path), 'utf8');
  } catch (error) {
    if (error.code === 'ENOENT') return '';
    throw error;
  }
}

/** Prints what a test cites and the list does not define; true if there is nothing of the kind. */
function reportUnknown(defined, citations) {
  const known = new Set(defined);
  const unknown = citations.flatMap(({ file, name, numbers }) =>
    numbers
      .filter((number) => !known.has(number))
      .map((number) => `${file}: "${name}" cites ${number}, which does not exist`),
  );
  for (const line of unknown) console.error(line);
  return unknown.length === 0;
}

function main(parameters) {
  const defined = definedIn(readFileSync(join(root, list_path), 'utf8'));
  const citations = readCitations();
  const [mode, list] = parameters;
  if (mode === '--missing' && list !== undefined) {
    const cited = new Set(citations.flatMap(({ numbers }) => numbers));
    const asked = numbersOfList(list);
    const missing = asked.filter((number) => !cited.has(number));
    console.log(
      `${missing.length} of ${asked.length} are uncovered${missing.length === 0 ? '' : `: ${missing.join(' ')}`}`,
    );
    return 0;
  }
  if (mode !== undefined && mode !== '--check') {
    console.error('usage: node scripts/requirements.js [--check | --missing LIST]');
    return 2;
  }
  const all_known = reportUnknown(defined, citations);
  const table = tableOf(defined, citations);
  if (mode === undefined) {
    writeFileSync(join(root, table_path), table);
    return all_known ? 0 : 1;
  }
  const fresh = table === readTable();
  if (!fresh) console.error(`${table_path} is stale: run node scripts/requirements.js`);
  return all_known && fresh ? 0 : 1;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) process.exitCode = main(process.argv.slice(2));
