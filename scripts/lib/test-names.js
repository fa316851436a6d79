/** Reads the names of tests, and the requirement numbers they cite, out of test sources without running them. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { root } from './workspace.js';

/** Characters after which a slash begins a regular expression rather than a division. */
const before_regexp =
  /(?:^|[(,=:[!&|?{};+\-*%<>~^]|\b(?:return|typeof|case|of|in|do|else|void|await|yield))$/;

/**
 * The string and template literals of a JavaScript or TypeScript source, outside comments and regular
 * expressions: `{ text, before }`, where `before` is the code on its left, literals and comments left out. A
 * quoted literal ends with its line, so that an apostrophe in JSX text harms no more than that line.
 */
export function literalsOf(source) {
  const literals = [];
  let code = '';
  let at = 0;
  while (at < source.length) {
    const char = source[at];
    if (source.startsWith('//', at)) {
      at = endOr(source.indexOf('\n', at), source);
    } else if (source.startsWith('/*', at)) {
      at = endOr(source.indexOf('*/', at + 2), source, 2);
    } else if (char === '/' && before_regexp.test(code.slice(-80).trimEnd())) {
      at = skipRegexp(source, at);
      code += '0';
    } else if (char === "'" || char === '"' || char === '`') {
      const end = char === '`' ? endOfTemplate(source, at) : endOfQuoted(source, at);
      literals.push({ text: unescaped(source.slice(at + 1, end - 1)), before: code.slice(-80).trimEnd() });
      code += '""';
      at = end;
    } else {
      code += char;
      at += 1;
    }
  }
  return literals;
}

function endOr(index, source, length = 0) {
  return index === -1 ? source.length : index + length;
}

function skipRegexp(source, start) {
  let in_class = false;
  for (let at = start + 1; at < source.length; at += 1) {
    const char = source[at];
    if (char === '\\') at += 1;
    else if (char === '\n') return at;
    else if (char === '[') in_class = true;
    else if (char === ']') in_class = false;
    else if (char === '/' && !in_class) return at + 1;
  }
  return source.length;
}

function endOfQuoted(source, start) {
  for (let at = start + 1; at < source.length; at += 1) {
    if (source[at] === '\\') at += 1;
    else if (source[at] === source[start] || source[at] === '\n') return at + 1;
  }
  return source.length;
}

/** The end of a template; expressions in it may hold braces, quotes and further templates. */
function endOfTemplate(source, start) {
  let at = start + 1;
  while (at < source.length && source[at] !== '`') {
    if (source[at] === '\\') at += 2;
    else if (source.startsWith('${', at)) at = endOfExpression(source, at + 2);
    else at += 1;
  }
  return Math.min(at + 1, source.length);
}

function endOfExpression(source, start) {
  let depth = 1;
  let at = start;
  while (at < source.length && depth > 0) {
    const char = source[at];
    if (char === '`') at = endOfTemplate(source, at);
    else if (char === "'" || char === '"') at = endOfQuoted(source, at);
    else {
      if (char === '{') depth += 1;
      if (char === '}') depth -= 1;
      at += 1;
    }
  }
  return at;
}

function unescaped(text) {
  return text.replaceAll(/\\(['"`\\])/g, '$1').replaceAll(/\\n|\s+/g, ' ');
}

/** `test('…')`, `describe('…')`, `test.each(…)('…')`. */
const names_a_test = /(?:\b(?:test|it|describe)(?:\.\w+)*|\)|\])\s*(?:<[^()]*>)?\($/;
const begins_with_number = /^[RDH]-\d{2,4}(?:\.\.|…|–|,? )\S/;
const is_numbers_only = /^[RDH]-\d{2,4}(?:(?:\.\.|…|–|,? )[RDH]-\d{2,4})*$/;
const holds_a_number = /(?:\[|\b(?:id|rule|requirement|name)\s*:)$/;

/**
 * The tests of a source that cite numbers: `{ name, numbers }`, in the order of the source. A literal counts
 * where it names a test or a group of tests, where it begins with a number and goes on (the case names of a
 * table), and where it is nothing but numbers at the head of a table's row; the row's next literal is then
 * part of its name.
 */
export function citationsOf(source) {
  const literals = literalsOf(source);
  const citations = [];
  literals.forEach(({ text, before }, index) => {
    const numbers = numbersIn(text);
    if (numbers.length === 0) return;
    if (is_numbers_only.test(text) && holds_a_number.test(before)) {
      const next = literals[index + 1]?.text ?? '';
      citations.push({ name: next === '' || is_numbers_only.test(next) ? text : `${text} ${next}`, numbers });
    } else if (names_a_test.test(before) || begins_with_number.test(text)) {
      citations.push({ name: text, numbers });
    }
  });
  return citations;
}

/** The names of the tests and of the groups of tests in a source. */
export function namesOf(source) {
  return literalsOf(source)
    .filter(({ before }) => names_a_test.test(before))
    .map(({ text }) => text);
}

/** The numbers that a text cites, ranges such as `R-289..R-294` or `H-01…H-05` written out, each once. */
export const numbersIn = (text) => Array.from(new Set(rangesIn(text).flatMap(({ numbers }) => numbers)));

/** Every number or range of numbers that a text cites: `{ text, numbers }`, in its order. */
export function rangesIn(text) {
  const cited = text.matchAll(/\b([RDH])-(\d+)(?:(?:\.\.|…|–)(?:([RDH])-)?(\d+))?\b/g);
  return Array.from(cited, (match) => {
    const [, kind, first, last_kind = kind, last = first] = match;
    const size = Number(last) - Number(first);
    if (last_kind !== kind || size < 0 || size > 400) throw new Error(`not a range: ${match[0]}`);
    const numbers = Array.from(
      { length: size + 1 },
      (_, step) => `${kind}-${String(Number(first) + step).padStart(first.length, '0')}`,
    );
    return { text: match[0], numbers };
  });
}

/** A list such as `R-001-R-127,H-05` or `D-010..D-020`, written out. */
export function numbersOfList(text) {
  return text.split(',').flatMap((item) => {
    const trimmed = item.trim().replace(/^([RDH]-\d+)-([RDH]-\d+)$/, '$1..$2');
    if (!/^[RDH]-\d+(?:\.\.[RDH]-\d+)?$/.test(trimmed)) throw new Error(`not a number or range: ${item}`);
    return numbersIn(trimmed);
  });
}

/** The test files of all packages and scripts, and everything that the benchmark runs: paths from the root, sorted. */
export function testFiles() {
  const wanted = (path) => /\.test\.[jt]sx?$/.test(path) || /^bench\/.*\.[jt]s$/.test(path);
  const skipped = new Set(['node_modules', 'dist', 'coverage']);
  const walk = (folder) =>
    readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return skipped.has(entry.name) ? [] : walk(path);
      return entry.isFile() ? [relative(root, path).split(sep).join('/')] : [];
    });
  return ['packages', 'bench', 'scripts']
    .flatMap((folder) => walk(join(root, folder)))
    .filter(wanted)
    .sort();
}

/** What every test file cites: `{ file, name, numbers }`, in the order of the files and of their sources. */
export function readCitations() {
  return testFiles().flatMap((file) => {
    try {
      return citationsOf(readTest(file)).map((citation) => ({ file, ...citation }));
    } catch (error) {
      throw new Error(`${file}: ${error.message}`, { cause: error });
    }
  });
}

/** The source of a test file, by its path from the root. */
export const readTest = (file) => readFileSync(join(root, file), 'utf8');
