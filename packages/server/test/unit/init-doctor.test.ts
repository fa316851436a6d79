import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { rootCertificates } from 'node:tls';
import { fileURLToPath } from 'node:url';
import { parseEnv } from 'node:util';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { lineOf, ok, reasonOf } from '../../src/cli/doctor/finding.ts';
import { databaseProblem } from '../../src/cli/shared/database-problem.ts';
import {
  checkMail,
  checkProviders,
  checkPublicAddress,
  checkRedis,
} from '../../src/cli/doctor/network-checks.ts';
import { checkSettings } from '../../src/cli/doctor/settings-checks.ts';
import { settingsInFile } from '../../src/cli/environment-file.ts';
import { runCommand } from '../../src/cli/run-command.ts';
import { readConfig } from '../../src/config.ts';
import { settings } from '../../src/environment.ts';

let dir: string;
const printed: string[] = [];
const complained: string[] = [];

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'init-'));
  printed.length = 0;
  complained.length = 0;
  vi.spyOn(console, 'log').mockImplementation((line: string) => void printed.push(line));
  vi.spyOn(console, 'error').mockImplementation((line: string) => void complained.push(line));
});
afterEach(() => {
  rmSync(dir, { recursive: true });
});

describe('paydesk init', () => {
  test('writes a file that only its owner can read, with valid fresh keys, and overwrites nothing', async () => {
    const file = join(dir, 'paydesk.env');
    expect(await runCommand(['init', '--out', file], { PORT: 'wrong' })).toBe(0);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const text = readFileSync(file, 'utf8');
    const config = readConfig(parseEnv(text));
    expect(config.secret_keys).toHaveLength(1);
    expect(config.admin_key).toHaveLength(32);
    expect(printed.join()).not.toContain(config.admin_key);

    expect(await runCommand(['init', '--out', file], {})).toBe(1);
    expect(complained).toEqual([`${file} exists already: choose another file with --out, or remove it.`]);
    expect(readFileSync(file, 'utf8')).toBe(text);
    expect(await runCommand(['init', '--out', join(dir, 'no', 'such', 'directory')], {})).toBe(1);
    expect(complained[1]).toMatch(/: there is no such file, or its folder does not exist\.$/);
  });

  test('leaves no part of a file that it could not write', () => {
    const file = join(dir, 'paydesk.env');
    const hooks = fileURLToPath(new URL('../support/run/register-typescript.js', import.meta.url));
    const source = new URL('../../src/cli/run-command.ts', import.meta.url).href;
    const program = `process.exitCode = await (await import('${source}')).runCommand(['init', '--out', '${file}'], {});`;
    const node = [process.execPath, '--conditions', 'paydesk-source', '--import', hooks];
    const { status, stderr } = spawnSync(
      'sh',
      ['-c', 'ulimit -f 0; exec "$@"', 'sh', ...node, '--input-type=module', '-e', program],
      { encoding: 'utf8' },
    );
    expect([status, stderr]).toEqual([1, expect.stringContaining('EFBIG')]);
    expect(existsSync(file)).toBe(false);
  });

  test('has every setting, and its examples are valid', async () => {
    expect([...settingsInFile].sort()).toEqual([...settings].sort());
    const file = join(dir, 'paydesk.env');
    await runCommand(['init', '--out', file], {});
    const examples = readFileSync(file, 'utf8').replaceAll(/^#(?=[A-Z_]+=)/gm, '');
    const { PAYDESK_TEST_CLOCK: _, ...env } = parseEnv(examples);
    const ca = join(dir, 'ca.pem');
    writeFileSync(ca, rootCertificates[0] ?? '');
    for (const name of Object.keys(env)) if (name.endsWith('_CA_FILE')) env[name] = ca;
    expect(readConfig(env)).toMatchObject({ public_url: 'https://pay.example.com', ops_port: 9090 });
  });
});

describe('paydesk doctor', () => {
  const secrets = {
    DATABASE_URL: 'postgres://user:verysecret@127.0.0.1:1/paydesk',
    REDIS_URL: 'redis://:verysecret@127.0.0.1:1',
    PAYDESK_SMTP_URL: 'smtps://user:verysecret@127.0.0.1:1',
    PAYDESK_MAIL_FROM: 'pay@example.com',
    PAYDESK_ADMIN_KEY: 'verysecret-administration-key',
    PAYDESK_PUBLIC_URL: 'http://127.0.0.1:1',
  };

  test('D-832 a proxy setting that trusts every address: it says so', () => {
    for (const trusts of ['0.0.0.0/0', '10.0.0.0/8,::/0']) {
      const env = { PAYDESK_PUBLIC_URL: 'https://pay.test', PAYDESK_TRUSTED_PROXIES: trusts };
      expect(checkSettings(readConfig(env)).map(lineOf)).toContainEqual(
        expect.stringMatching(/^warn {2}settings +PAYDESK_TRUSTED_PROXIES trusts every address: /),
      );
    }
  });

  test('D-1271 without a mail server: it says that only the demo keeps mail', async () => {
    expect((await checkMail(readConfig({}))).map(lineOf)).toEqual([
      'warn  mail             PAYDESK_SMTP_URL is not set: people get no mail; only npm start writes it, to files.',
    ]);
  });

  test('a Redis that takes the connection and says nothing: it says so, and ends', async () => {
    const sockets: Socket[] = [];
    const silent = createTcpServer((socket) => sockets.push(socket));
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const { port } = silent.address() as AddressInfo;
    const [finding] = await checkRedis({ redis_url: `redis://127.0.0.1:${port}` }, 50);
    expect(finding).toMatchObject({ level: 'fail', about: 'redis' });
    expect(finding?.words).toMatch(/^127\.0\.0\.1:\d+ does not answer: ./);
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => silent.close(resolve));
  });

  test('D-1441 with a database, a Redis and a mail server that are away, it names each with its setting and ends with 1', async () => {
    expect(await runCommand(['doctor'], { ...secrets, PAYDESK_DATA_DIR: dir })).toBe(1);
    const text = printed.join('\n');
    expect(text).toMatch(
      /^fail {2}database +The database of DATABASE_URL cannot be reached: .*ECONNREFUSED/m,
    );
    expect(text).toMatch(
      /^fail {2}redis +127\.0\.0\.1:1 does not answer: connect ECONNREFUSED.* set REDIS_URL to another one\.$/m,
    );
    expect(text).toMatch(/^fail {2}mail +127\.0\.0\.1:1 does not accept mail/m);
    expect(text).toMatch(/^fail {2}secret key +PAYDESK_SECRET_KEY is not set/m);
    expect(text).toMatch(/^warn {2}public address/m);
    expect(text).toMatch(/^(ok|warn|fail) +disk +/m);
    expect(text).toMatch(/^(ok|warn|fail) +open files +/m);
    for (const line of printed.slice(0, -1)) expect(line).toMatch(/^(ok {3}|warn |fail ) \S.{15} \S.*[.?]$/);
    expect(printed.at(-1)).toMatch(/^\d+ failed, \d+ warnings, \d+ ok\.$/);
    expect(text).not.toContain('verysecret');
    expect(complained).toEqual([]);
  });

  test('wrong settings are a line, not the end', async () => {
    expect(await runCommand(['doctor'], { PAYDESK_PUBLICURL: 'x' })).toBe(1);
    expect(printed.join('\n')).toMatch(/^fail {2}settings +PAYDESK_PUBLICURL is .* PAYDESK_PUBLIC_URL\?$/m);
  });

  test('a line is one line, and a reason is words', () => {
    expect(lineOf(ok('key', 'fits\n  well.'))).toBe('ok    key              fits well.');
    expect(reasonOf(new AggregateError([new Error('one'), new Error('two')]))).toBe('one');
    expect(reasonOf(new Error('fetch failed', { cause: new Error('refused.') }))).toBe('refused');
    const lost = new Error('Client has encountered a connection error and is not queryable');
    expect(databaseProblem(lost)).toMatch(/^The database of DATABASE_URL does not answer: Client /);
  });
});

test('D-1468 work that a limit of the database ends is a sentence, and no refused connection', () => {
  const ended = (code: string): string | null => databaseProblem(Object.assign(new Error('why'), { code }));
  // A statement that took too long, a limit of files, no memory.
  for (const code of ['57014', '53400', '53200'])
    expect(ended(code)).toBe('The database of DATABASE_URL ended the work: why.');
  for (const code of ['28P01', '3D000', '57P03'])
    expect(ended(code)).toBe('The database of DATABASE_URL refused the connection: why.');
});

/** A service, or what stands before it. */
async function standIn(status: number, body: object, echo = true): Promise<string> {
  const server = createServer((request, response) => {
    const id = request.headers['x-request-id'];
    if (echo && typeof id === 'string') response.setHeader('x-request-id', id);
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const address = server.address();
  return `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`;
}

describe('R-001 paydesk doctor sees what the proxy does', () => {
  const proxy = { headers: ['x-forwarded-for'], client_address: '203.0.113.7' };

  test.each([
    ['the service itself', 200, { status: 'ok' }, ['ok']],
    ['a proxy that is trusted', 200, { status: 'ok', proxy: { ...proxy, believed: true } }, ['ok', 'ok']],
    ['a proxy that is not', 200, { status: 'ok', proxy: { ...proxy, believed: false } }, ['ok', 'fail']],
    ['a proxy that removes the path', 404, {}, ['fail']],
    ['something else', 502, {}, ['fail']],
  ])('%s', async (_, status, body, levels) => {
    const public_url = `${await standIn(status, body)}/pay`;
    const findings = await checkPublicAddress(readConfig({ PAYDESK_PUBLIC_URL: public_url }));
    expect(findings.map(({ level }) => level)).toEqual(levels);
    if (status === 404) expect(findings[0]?.words).toContain('removes or changes the path /pay');
  });

  test('any answer of the provider counts', async () => {
    const provider = await standIn(404, {}, false);
    const findings = await checkProviders([provider, 'http://127.0.0.1:1']);
    expect(findings.map(({ level }) => level)).toEqual(['ok', 'fail']);
  });
});
