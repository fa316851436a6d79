import { generateKeyPairSync } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { commands } from '../../src/cli/catalogue.ts';
import { runCommand } from '../../src/cli/run-command.ts';
import { helpOf, overviewOf } from '../../src/cli/shared/usage.ts';

const guide = fileURLToPath(new URL('../../../../docs/operating/commands.md', import.meta.url));

const printed: string[] = [];
const complained: string[] = [];

beforeEach(() => {
  printed.length = 0;
  complained.length = 0;
  vi.spyOn(console, 'log').mockImplementation((line: string) => void printed.push(line));
  vi.spyOn(console, 'error').mockImplementation((line: string) => void complained.push(line));
});

const usages = commands.map(({ usage }) => usage);

/** The page of the guide. `npx vitest run --project unit commands -u` writes it again. */
function commandsPage(): string {
  const block = (text: string): string => ['```text', text, '```'].join('\n');
  return `${[
    '# Commands',
    [
      'Each command explains itself: this page is what `npx paydesk COMMAND --help` prints. A test compares the two.',
      'Errors go to standard error as one sentence. The exit codes are 0 for success, 1 for a failure and 2 for wrong',
      'usage. `--help` and `version` work whatever the settings are.',
    ].join('\n'),
    block(overviewOf(usages)),
    ...usages.map((usage) => `## ${usage.name}\n\n${block(helpOf(usage))}`),
  ].join('\n\n')}\n`;
}

test('the guide shows the help of every command', async () => {
  await expect(commandsPage()).toMatchFileSnapshot(guide);
});

describe('--help', () => {
  test.each([[['--help']], [['-h']], [['help']], [[]]])('paydesk %j lists the commands', async (args) => {
    expect(await runCommand(args, {})).toBe(0);
    for (const { name } of usages) expect(printed.join('\n')).toMatch(new RegExp(`\n  ${name} +\\w`));
    expect(printed[0]).toMatch(/^Usage: paydesk COMMAND/);
  });

  test.each(usages.map(({ name }) => name))('%s explains itself, even with wrong settings', async (name) => {
    for (const args of [
      [name, '--help'],
      [name, '-h'],
      ['help', name],
      [name, '--wrong', '--help'],
    ]) {
      expect(await runCommand(args, { PORT: 'wrong' })).toBe(0);
    }
    expect(new Set(printed).size).toBe(1);
    const [help = ''] = printed;
    expect(help).toMatch(new RegExp(`^Usage: paydesk ${name}`));
    for (const part of ['Options:', '--help', 'Exit codes:', 'Example:']) expect(help).toContain(part);
    for (const line of help.split('\n')) expect(line.length).toBeLessThan(125);
  });
});

describe('D-1156 wrong usage is one line without a stack, and exit code 2', () => {
  test.each([
    [['serv'], 'There is no command "serv": did you mean serve?'],
    [['ledger'], 'There is no command "ledger": did you mean verify-ledger?'],
    [['fly'], 'There is no command "fly".'],
    [['help', 'migrat'], 'There is no command "migrat": did you mean migrate?'],
    [['--verbose'], 'There is no command "--verbose".'],
    [['serve', '--rol', 'web'], 'There is no option --rol: did you mean --role?'],
    [['serve', '--zzz'], 'There is no option --zzz.'],
    [['serve', '-x'], 'There is no option -x.'],
    [['serve', '--role'], '--role needs a value: --role all|web|worker.'],
    [['serve', '--role', '--no-migrate'], '--role needs a value: --role all|web|worker.'],
    [['serve', '--no-migrate=1'], '--no-migrate takes no value.'],
    [['serve', '--role', 'king'], '--role must be one of all, web, worker.'],
    [['serve', 'now'], 'serve takes no argument such as "now".'],
    [['grant-role'], 'One NAME is needed.'],
    [['grant-role', 'a', 'b'], 'One NAME is needed.'],
    [['create-admin'], 'create-admin needs --email ADDRESS.'],
    [['listen', '--secret', 's', '--status', '99'], '--status must be a number from 200 to 599.'],
    [['listen', '--secret', 's', '--port', 'x'], '--port must be a number from 0 to 65535.'],
    [['listen', '--secret', 's', '--path', 'hook'], '--path must begin with a slash and must have no query.'],
    // Without a secret, too.
    [['listen', '--port', 'x'], '--port must be a number from 0 to 65535.'],
    [['reconcile-provider', '--since', 'yesterday'], '--since must be a time such as'],
    [['orders', '--hours', '1e10'], '--hours must be a number above 0, and at most 876000.'],
  ])('%j', async (args, sentence) => {
    expect(await runCommand(args, {})).toBe(2);
    expect(printed).toEqual([]);
    expect(complained).toHaveLength(1);
    expect(complained[0]).toMatch(/^[^\n]* See "paydesk [^\n]*--help"\.$/);
    expect(complained[0]?.startsWith(sentence)).toBe(true);
  });
});

test('D-896 create-admin says what an address must be like, and how it is called', async () => {
  expect(await runCommand(['create-admin', '--email', 'ada@'], {})).toBe(2);
  expect(complained).toEqual([
    '--email must be an email address such as ada@example.com, not "ada@": paydesk create-admin --email ADDRESS [--name NAME]. See "paydesk create-admin --help".',
  ]);
});

test('D-1210 a directory in place of a file is a sentence', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'paydesk-commands-'));
  onTestFinished(() => rm(dir, { recursive: true }));
  const pem = join(dir, 'key.pem');
  const { publicKey } = generateKeyPairSync('ed25519');
  await writeFile(pem, publicKey.export({ type: 'spki', format: 'pem' }));
  expect(await runCommand(['verify-export', dir, '--public-key', pem], {})).toBe(1);
  expect(complained).toEqual(['A file is needed, and the path names a directory.']);
});

test('D-1465 a file that has no head of a seal is refused as the heads of an export', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'paydesk-commands-'));
  onTestFinished(() => rm(dir, { recursive: true }));
  const [pem, heads] = [join(dir, 'key.pem'), join(dir, 'audit.jsonl')];
  const { publicKey } = generateKeyPairSync('ed25519');
  await writeFile(pem, publicKey.export({ type: 'spki', format: 'pem' }));
  await writeFile(heads, '{"audit_id":"al_1"}\n');
  expect(await runCommand(['verify-export', pem, '--public-key', pem, '--heads', heads], {})).toBe(1);
  expect(complained).toEqual([`The file ${heads} has no head of a seal: name that of PAYDESK_SEAL_SINK.`]);
});

test('D-1471 too few open files are a sentence', async () => {
  vi.spyOn(console, 'log').mockImplementationOnce(() => {
    throw Object.assign(new Error('too many open files'), { code: 'EMFILE', path: '/x' });
  });
  expect(await runCommand(['version'], {})).toBe(1);
  expect(complained).toEqual([
    'This process may not open more files: raise its limit (systemd: LimitNOFILE, shell: ulimit -n).',
  ]);
});

describe('a failure is one line without a stack, and exit code 1', () => {
  test.each([
    [['migrate'], { PAYDESK_SECRETKEY: 'x' }, /^PAYDESK_SECRETKEY is .* did you mean PAYDESK_SECRET_KEY\?$/],
    [['keys'], {}, /^PAYDESK_SECRET_KEY must be set/],
    [
      ['verify-ledger'],
      { DATABASE_URL: 'postgres://127.0.0.1:1/x' },
      /^The database of DATABASE_URL cannot be reached/,
    ],
    [['verify-export', '/nowhere', '--public-key', '/nowhere.pem'], {}, /^The file \/nowhere\.pem cannot be/],
  ])('%j', async (args, env, sentence) => {
    expect(await runCommand(args, { PAYDESK_DATA_DIR: '/nonexistent/paydesk', ...env })).toBe(1);
    expect(complained).toEqual([expect.stringMatching(sentence)]);
    expect(complained[0]).not.toContain('\n');
  });
});
