import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test, vi } from 'vitest';
import { sql } from '../../../src/base/pg/index.ts';
import { runCommand } from '../../../src/cli/run-command.ts';
import { minutes } from '../../../src/base/time/clock.ts';
import { openSink } from '../../../src/seals/index.ts';
import { merchant_id, order_no } from '../../support/desks/samples.ts';
import { addFacts, openSealedBooks, type SealedBooks } from '../../support/books/sealed-books.ts';

let books: SealedBooks;
let dir: string;
const printed: string[] = [];

/** The export of books with two rounds of facts under two keys, and a few rows that have no seal yet. */
let lines: string[];

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'export-'));
  books = await openSealedBooks();
  await books.seal(3);
  books.ring.unshift(randomBytes(32));
  await addFacts(books, 'mp_2');
  await books.seal();
  books.clock.advance(Date.now() - books.clock.now().getTime());
  await addFacts(books, 'mp_new');
  vi.spyOn(console, 'log').mockImplementation(() => undefined);
  expect(await exported()).toBe(0);
  lines = (await readFile(file('books.jsonl'), 'utf8')).trimEnd().split('\n');
});

beforeEach(() => {
  vi.spyOn(console, 'log').mockImplementation((line: string) => void printed.push(line));
  vi.spyOn(console, 'error').mockImplementation((line: string) => void printed.push(line));
  printed.splice(0);
});

afterAll(async () => {
  await books.close();
  await rm(dir, { recursive: true });
});

const file = (name: string): string => join(dir, name);
const env = (more = {}) => ({
  DATABASE_URL: books.url,
  PAYDESK_SECRET_KEY: books.ring.map((key) => key.toString('base64')).join(','),
  ...more,
});

const exported = (more = {}): Promise<number> =>
  runCommand(['export-books', '--out', file('books.jsonl'), '--public-key-out', file('key.pem')], env(more));

/** Verifies without any setting: neither database nor secret. */
async function verified(content: readonly string[], ...options: string[]): Promise<number> {
  await writeFile(file('check.jsonl'), content.map((line) => `${line}\n`).join(''));
  printed.splice(0);
  return runCommand(['verify-export', file('check.jsonl'), '--public-key', file('key.pem'), ...options], {});
}

/** The lines, changed where `is` holds. */
const changed = (is: RegExp, to: (line: string) => string[]): string[] =>
  lines.flatMap((line) => (is.test(line) ? to(line) : [line]));

const ownTransfer = new RegExp(`"fact":.*"leg":"2","merchant_id":"${merchant_id}".*"subject":"${order_no}"`);
const transferName = `transfer ["${order_no}","P2","","2"]`;

test('an export onto a full disk ends with a sentence', async () => {
  expect(await runCommand(['export-books', '--out', '/dev/full'], env())).toBe(1);
  expect(printed).toEqual(['A file could not be written: the disk is full.']);
});

test('D-1369 what is said of an export onto standard output is not in it', async () => {
  const said: string[] = [];
  vi.spyOn(console, 'log').mockImplementation((line: string) => void said.push(line));
  expect(await runCommand(['export-books', '--out', '/dev/null'], env())).toBe(0);
  expect([said, printed]).toEqual([[], [expect.stringMatching(/^Wrote \d+ lines to .dev.null\.$/)]]);
});

// A cluster allows no trigger on a table that each server has.
test.skipIf(inject('citusUrl') !== null)(
  'D-1399 a command whose database has a full disk says so',
  async () => {
    await books.db.query(sql`CREATE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    RAISE 'could not extend file "base/1/2": No space left on device' USING ERRCODE = 'disk_full'; END $$`);
    await books.db.query(
      sql`CREATE TRIGGER full_disk BEFORE INSERT ON audit_log FOR EACH ROW EXECUTE FUNCTION full_disk()`,
    );
    expect(await runCommand(['export-books', '--out', file('none.jsonl')], env())).toBe(1);
    await books.db.query(sql`DROP FUNCTION full_disk CASCADE`);
    expect(printed).toEqual([
      'The disk of the database of DATABASE_URL is full (could not extend file "base/1/2": No space left on device): make room, and run the command again.',
    ]);
  },
);

test('D-1395 an export that fails on its way leaves the one before it as it was', async () => {
  const out = file('kept.jsonl');
  expect(await runCommand(['export-books', '--out', out], env())).toBe(0);
  const before = await readFile(out, 'utf8');
  await books.db.query(sql`ALTER TABLE ledger_transfers RENAME TO gone`);
  expect(await runCommand(['export-books', '--out', out], env())).toBe(1);
  await books.db.query(sql`ALTER TABLE gone RENAME TO ledger_transfers`);
  expect(await readFile(out, 'utf8')).toBe(before);
  expect((await readdir(dir)).filter((name) => name.startsWith('kept'))).toEqual(['kept.jsonl']);
});

test('D-628 only its owner reads an export, also in the place of a file that others could read', async () => {
  await writeFile(file('shared.jsonl'), 'older', { mode: 0o644 });
  expect(await runCommand(['export-books', '--out', file('shared.jsonl')], env())).toBe(0);
  expect((await stat(file('shared.jsonl'))).mode & 0o777).toBe(0o600);
  expect((await stat(file('books.jsonl'))).mode & 0o777).toBe(0o600);
  expect(await readFile(file('shared.jsonl'), 'utf8')).not.toContain('older');
});

describe('what an outsider can verify', () => {
  test('R-143, D-194 an export verifies with only the public key; newer keys have signed the old ones', async () => {
    expect(await verified(lines)).toBe(0);
    expect(printed).toEqual([
      expect.stringMatching(
        /^The export is whole: 18 sealed rows under \d+ seals, 10 rows too new to be sealed\.$/,
      ),
    ]);
    expect(lines.join('')).not.toContain(books.ring[0].toString('base64'));
  });

  test.each([
    ['edited', (line: string) => [line.replace('"amount":"2000"', '"amount":"2001"')], /was changed$/],
    ['removed', () => [], /and is missing$/],
    [
      'added',
      (line: string) => [line, line.replaceAll('"leg":"2"', '"leg":"3"')],
      /^transfer \["mp_\w+","P2","","3"\] is not covered/,
    ],
  ])('R-143 a row that was %s is named', async (_, change, words) => {
    expect(lines.filter((line) => ownTransfer.test(line))).toHaveLength(1);
    expect(await verified(changed(ownTransfer, change))).toBe(1);
    expect(printed).toHaveLength(2);
    expect(printed[0]).toMatch(words);
    if (!printed[0]?.includes('"3"')) expect(printed[0]).toContain(transferName);
  });

  test('R-143 two rows whose values are swapped', async () => {
    const swapped = lines.map((line) =>
      line.includes('"fact"') && line.includes(`"${merchant_id}"`) && line.includes(`"subject":"${order_no}"`)
        ? line.replace(/"amount":"(\d)000"/, (_, amount: string) => `"amount":"${3 - Number(amount)}000"`)
        : line,
    );
    expect(await verified(swapped)).toBe(1);
    expect(printed.slice(0, -1).sort()).toEqual([
      expect.stringContaining(`["${order_no}","P2","","1"] is not what`),
      expect.stringContaining(`["${order_no}","P2","","2"] is not what`),
    ]);
  });
});

describe('what was done to seals and keys', () => {
  const lastSeal = (): string => lines.filter((line) => line.startsWith('{"seal"')).at(-1) ?? '';

  test.each([
    ['entries', (line: string) => line.replace('\\"mp_2\\"', '\\"mp_9\\"'), 'its list of rows was changed'],
    [
      'signature',
      (line: string) =>
        line.replace(
          /"signature":"(..)/,
          (_, first: string) => `"signature":"${first === '00' ? '11' : '00'}`,
        ),
      'its signature is wrong',
    ],
    [
      'sealed_at',
      (line: string) => line.replace(/"sealed_at":"\d/, '"sealed_at":"9'),
      'its hash does not match',
    ],
    ['previous', (line: string) => line.replace(/"previous":"../, '"previous":"zz'), 'is not a seal'],
  ])('R-143 %s of a seal', async (_, change, words) => {
    const edited = lines.map((line) => (line === lastSeal() ? change(line) : line));
    expect(edited).not.toEqual(lines);
    expect(await verified(edited)).toBe(1);
    expect(printed.join('\n')).toContain(words);
  });

  test('R-143 a seal that is gone with its rows', async () => {
    const at = lines.indexOf(lastSeal());
    const until = lines.findIndex((line, i) => i > at && !line.includes('"fact"'));
    expect(await verified([...lines.slice(0, at), ...lines.slice(until)])).toBe(1);
    expect(printed.join('\n')).toMatch(
      /^seal \["[-0-9a-f]+","\d+"\] is covered by seal \d+ of the platform and is missing/m,
    );
  });

  test('an export by another secret', async () => {
    const [header = '', ...rest] = lines;
    const others = rest.map((line) => line.replace(/"endorsement":"..../, '"endorsement":"AAAA'));
    expect(await verified([header, ...others])).toBe(1);
    expect(printed[0]).toMatch(/its key \w+ is not trusted$/);
  });

  test('R-143 an end that is cut off: by its last line, and by the heads of the sink', async () => {
    expect(await verified(lines.slice(0, -1))).toBe(1);
    expect(printed[0]).toBe('the export has no end: lines are missing');
    const sink = openSink(pathToFileURL(file('heads.jsonl')).href);
    await books.publish(sink);
    expect(await verified(lines, '--heads', file('heads.jsonl'))).toBe(0);
    const isOfPlatform = (line: string): boolean => line.startsWith('{"seal":{"chain":"00000000-');
    const at = lines.findLastIndex(isOfPlatform);
    const cut = [...lines.slice(0, at), ...lines.slice(-1)];
    expect(await verified(cut)).toBe(0);
    expect(await verified(cut, '--heads', file('heads.jsonl'))).toBe(1);
    expect(printed[0]).toMatch(/is among the heads and is missing: the end was cut off$/);
  });

  test('R-143 a row without a seal that should have one', async () => {
    const old = lines.map((line) => line.replace(/("exported_at":")[^"]+/, `$1${later()}`));
    expect(await verified(old)).toBe(1);
    expect(printed).toContainEqual(
      expect.stringMatching(/^transfer \["mp_new".* is older than two minutes and has no seal$/),
    );
  });

  test.each([
    ['an old time, below a first line with an older one', '"at":"999999999000000",', true],
    ['an old time, without a first line', '"at":"999999999000000",', false],
    ['no time', '', true],
  ])('D-1322 a row without a seal that has %s', async (_, at, hasFirst) => {
    const [first = '', ...rest] = lines;
    const others = rest.map((line) =>
      line.includes('"seal_no":null,"kind":"transfer"') ? line.replace(/"at":"\d+",/, at) : line,
    );
    const older = hasFirst ? [first.replace('_at":"2', '_at":"1')] : [];
    expect(await verified([...older, ...others])).toBe(1);
    expect(printed).toContainEqual(
      expect.stringMatching(/^transfer \["mp_new".* is older than two minutes and has no seal$/),
    );
    expect(printed.includes('the export has no beginning: lines are missing')).toBe(!hasFirst);
  });

  test('D-1354 a row without a seal that stands above the seals, where none tells its age', async () => {
    const [first = '', ...rest] = lines;
    const isOpen = (line: string): boolean => line.includes('"seal_no":null');
    const moved = [...rest.filter(isOpen), ...rest.filter((line) => !isOpen(line))];
    const old = moved.map((line) => line.replace(/("seal_no":null.*"\w*at":")\d+/, '$1999999999000000'));
    expect(await verified([first.replace('_at":"2', '_at":"1'), ...old])).toBe(1);
    expect(printed).toContainEqual(
      expect.stringMatching(/^seal 1 of the platform does not hold: it stands below a row without a seal$/),
    );
  });
});

test('D-1416 a file of public keys that is damaged is named', async () => {
  const pem = await readFile(file('key.pem'), 'utf8');
  for (const damaged of [`${pem}${pem.replace(/\n..../, '\nxxxx')}`, pem.slice(0, 90), 'no key']) {
    await writeFile(file('damaged.pem'), damaged);
    expect(
      await runCommand(['verify-export', file('books.jsonl'), '--public-key', file('damaged.pem')], {}),
    ).toBe(1);
    expect(printed.splice(0)).toEqual([
      `The file ${file('damaged.pem')} has no public key in PEM, or one that cannot be read.`,
    ]);
  }
});

const later = (): string => new Date(Date.now() + minutes(5)).toISOString();

test('D-1466 the books and their key go to two files', async () => {
  const args = ['--out', file('one.jsonl'), '--public-key-out', `${dir}/./one.jsonl`];
  expect(await runCommand(['export-books', ...args], env())).toBe(2);
  expect(printed).toEqual([
    '--out and --public-key-out must be two files. See "paydesk export-books --help".',
  ]);
});

test.each([
  [['export-books'], 2, 'export-books needs --out FILE. See "paydesk export-books --help".'],
  [['verify-export'], 2, 'One FILE is needed. See "paydesk verify-export --help".'],
  [['verify-export', 'x'], 2, 'verify-export needs --public-key PEM. See "paydesk verify-export --help".'],
  [['verify-export', 'x', '--public-key', '/nowhere.pem'], 1, 'The file /nowhere.pem cannot be read.'],
])('%j says what it needs', async (args, code, words) => {
  expect(await runCommand(args, {})).toBe(code);
  expect(printed).toEqual([words]);
});

test.each(['--heads', '--archive'])(
  'D-1323 a file of the archive is not verified with %s',
  async (option) => {
    const args = ['mr_1.jsonl.gz', '--public-key', '/nowhere.pem', option, 'y'];
    expect(await runCommand(['verify-export', ...args], {})).toBe(2);
    expect(printed).toEqual([
      'A file of the archive is verified alone: --heads and --archive are for an export. See "paydesk verify-export --help".',
    ]);
  },
);
