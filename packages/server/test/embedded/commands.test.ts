import { randomBytes } from 'node:crypto';
import { type AddressInfo, createServer } from 'node:net';
import { TLSSocket } from 'node:tls';
import { fileURLToPath } from 'node:url';
import { describe, expect, onTestFinished, test } from 'vitest';
import { joinEmbedded } from '../../src/embedded/open-embedded.ts';
import { freePort } from '../support/servers/ports.ts';
import { startPaydesk } from '../support/run/source-process.ts';
import { testAuthority } from '../support/servers/tls.ts';
import { askDatabase } from '../support/servers/database.ts';
import { dataDir } from './helpers.ts';

const key = randomBytes(32).toString('base64');
const program = fileURLToPath(import.meta.url);
const nowhere = 'postgres://127.0.0.1:1/paydesk';

interface Ended {
  code: number | null;
  output: string;
}

/** Runs a `paydesk` command to its end. */
async function paydesk(args: string[], env: NodeJS.ProcessEnv = {}, input = ''): Promise<Ended> {
  const started = startPaydesk(args, {
    env: {
      DATABASE_URL: '',
      PAYDESK_SECRET_KEY: key,
      PAYDESK_DATA_DIR: '/nonexistent/paydesk',
      NODE_ENV: 'test',
      ...env,
    },
  });
  let output = '';
  started.child.stdout?.on('data', (chunk: Buffer) => (output += chunk.toString()));
  started.child.stdin?.end(input);
  const code = await started.exited;
  return { code, output: output + started.errors() };
}

describe('wrong settings stop the start with one sentence that names the variable', () => {
  type Wrong = [name: string, args: string[], env: NodeJS.ProcessEnv, sentence: RegExp];
  const wrong: Wrong[] = [
    ['PORT', ['serve'], { PORT: '99999' }, /(?:^|\n)PORT must be a number/],
    [
      'PAYDESK_SECRET_KEY missing',
      ['serve'],
      { PAYDESK_SECRET_KEY: '' },
      /(?:^|\n)PAYDESK_SECRET_KEY must be set/,
    ],
    ['DATABASE_URL', ['serve'], { DATABASE_URL: 'mysql://h/d' }, /(?:^|\n)DATABASE_URL must be an address/],
    [
      'a database that is not there',
      ['serve'],
      { DATABASE_URL: nowhere },
      /(?:^|\n)The database of DATABASE_URL cannot be reached/,
    ],
    ['no data directory', ['verify-ledger'], {}, /(?:^|\n)There is no data directory/],
    [
      'a file as data directory',
      ['verify-ledger'],
      { PAYDESK_DATA_DIR: program },
      /(?:^|\n)PAYDESK_DATA_DIR must be a directory/,
    ],
    ...['serve', 'start'].map((name): Wrong => [
      `D-642 PAYDESK_DATA_DIR is a file: ${name}`,
      [name],
      { PAYDESK_DATA_DIR: program, ...(name === 'start' ? { DATABASE_URL: nowhere } : {}) },
      /(?:^|\n)PAYDESK_DATA_DIR must be a directory that this user may write, not .+ is a file/,
    ]),
    ...(process.platform === 'linux' ? ['serve', 'start'] : []).map((name): Wrong => [
      `D-890 PAYDESK_DATA_DIR is where no directory can be made: ${name}`,
      [name],
      { PAYDESK_DATA_DIR: '/proc/paydesk/data', ...(name === 'start' ? { DATABASE_URL: nowhere } : {}) },
      /(?:^|\n)PAYDESK_DATA_DIR must be a directory that this user may write, not \/proc\/paydesk\/data \(/,
    ]),
    [
      'PAYDESK_TEST_CLOCK in production',
      ['serve'],
      { PAYDESK_TEST_CLOCK: '1', NODE_ENV: 'production' },
      /(?:^|\n)PAYDESK_TEST_CLOCK must not be set/,
    ],
  ];
  test.each(wrong)('%s', async (_, args, env, sentence) => {
    const { code, output } = await paydesk(args, env);
    expect(code).toBe(1);
    expect(output).toMatch(sentence);
    expect(output).not.toMatch(/\n\s+at /);
  });

  test.each([
    ['no TLS', 'N', /^The database of DATABASE_URL offers no TLS, which the address asks for: .+\n$/],
    [
      'a certificate that is not trusted',
      'S',
      /^The certificate of the database of DATABASE_URL is refused: .+\n$/,
    ],
  ])('D-681 sslmode=require, and the database has %s', async (_, answer, sentence) => {
    const certificate = await (await testAuthority()).issue();
    const server = createServer((socket) => {
      socket.on('error', () => undefined);
      socket.once('data', () => {
        socket.write(answer);
        if (answer === 'S')
          new TLSSocket(socket, { isServer: true, ...certificate }).on('error', () => undefined);
      });
    });
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    const { code, output } = await paydesk(['verify-ledger'], {
      DATABASE_URL: `postgres://127.0.0.1:${port}/paydesk?sslmode=require`,
      PAYDESK_DATA_DIR: '/nonexistent/paydesk',
    });
    expect(output).toMatch(sentence);
    expect(code).toBe(1);
  });

  test('D-645 a reader that has ended, such as head, ends a command without a stack', async () => {
    const started = startPaydesk(['doctor'], { env: { PORT: 'none' } });
    started.child.stdout?.destroy();
    expect([await started.exited, started.errors()]).toEqual([141, '']);
  });

  test('an unknown command says so in one line and exits 2', async () => {
    const { code, output } = await paydesk(['fly']);
    expect(code).toBe(2);
    expect(output).toContain('Usage: paydesk COMMAND');
    expect(output.trimEnd()).not.toContain('\n');
  });
});

describe('operations on an embedded database', () => {
  test('H-24, D-1364, D-1474 serve, create-admin, verify-ledger and doctor beside it, a second serve, and a stop while calls still wait', async () => {
    const data_dir = await dataDir();
    const port = await freePort();
    const env = { PAYDESK_DATA_DIR: data_dir, PORT: String(port), PAYDESK_LOG_LEVEL: 'info' };
    const serving = startPaydesk(['serve'], {
      // Something waits without end, for example for the answer of a provider.
      env: {
        ...{ DATABASE_URL: '', PAYDESK_SECRET_KEY: key, NODE_ENV: 'test', ...env },
        NODE_OPTIONS: '--import data:text/javascript,setInterval(()=>{},1e8)',
      },
    });
    onTestFinished(() => void serving.child.kill('SIGKILL'));
    for (;;) if ((await serving.line()).includes('paydesk is serving')) break;
    // A process is ready only while its database answers in time, also on a busy machine.
    await expect.poll(async () => (await fetch(`http://127.0.0.1:${port}/readyz`)).status).toBe(200);

    const weak = await paydesk(['create-admin', '--email', 'root@paydesk.test'], env, 'qwertyuiop\n');
    expect(weak.code).not.toBe(0);
    expect(weak.output).toContain('one of the most common');
    expect(weak.output).not.toContain(' at ');
    const joined = await joinEmbedded({ data_dir, purpose: 'the tests' });
    const roles = `SELECT DISTINCT usename::text AS role FROM pg_stat_activity WHERE application_name = 'paydesk all'`;
    expect(await askDatabase(joined.url, roles)).toEqual([{ role: 'paydesk_service' }]);

    // No one reads the password that it makes up.
    const unread = startPaydesk(['create-admin', '--email', 'root@paydesk.test'], {
      env: { DATABASE_URL: '', ...env },
    });
    unread.child.stdout?.destroy();
    unread.child.stdin?.end();
    expect(await unread.exited).toBe(141);
    const admin = await paydesk(['create-admin', '--email', 'root@paydesk.test'], env, 'a long password\n');
    expect(admin.output).toContain('Created the administrator root@paydesk.test');
    const signedIn = await fetch(`http://127.0.0.1:${port}/session`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: 'root@paydesk.test', password: 'a long password' }),
    });
    expect(signedIn.status).toBe(200);

    const verified = await paydesk(['verify-ledger'], env);
    expect(verified).toMatchObject({ code: 0 });
    expect(verified.output).toContain('The books balance');
    expect(verified.output).toContain(`Using the embedded database in ${data_dir}.`);

    // serve gives itself the role that owns nothing; the address of the database is the owner's.
    const looked = await paydesk(['doctor'], { ...env, NODE_ENV: 'production', PAYDESK_SECRET_KEY: key });
    expect(/^\w+ +rights.*$/m.exec(looked.output)?.[0]).toBe(
      'ok    rights           Here serve works under a role of its own, which owns nothing.',
    );

    const second = await paydesk(['serve'], env);
    expect(second.code).toBe(1);
    expect(second.output).toContain(data_dir);

    expect(await serving.kill('SIGTERM')).toBe(0);
  });

  test('H-24 a port in use is reported in one sentence', async () => {
    const taken = createServer();
    await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void taken.close());
    const address = taken.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const env = { PAYDESK_DATA_DIR: await dataDir(), PORT: String(port), PAYDESK_LOG_LEVEL: 'silent' };
    const { code, output } = await paydesk(['serve'], env);
    expect(code).toBe(1);
    expect(output).toContain(`Port ${port} on 127.0.0.1 is in use`);
  });

  test('D-891 start names every port that is in use, or that two variables share, at once', async () => {
    const taken = createServer();
    await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void taken.close());
    const { port } = taken.address() as AddressInfo;
    const shared = await freePort();
    const env = {
      PAYDESK_DATA_DIR: await dataDir(),
      PORT: String(port),
      PAYDESK_CARDSIM_PORT: String(shared),
      PAYDESK_RECEIVER_PORT: String(shared),
    };
    const { code, output } = await paydesk(['start'], env);
    expect(code).toBe(1);
    expect(output.split('\n').filter((line) => line.startsWith('Port'))).toEqual([
      `Port ${port} is in use: set PORT to another port.`,
      `Port ${shared} is in use: set PAYDESK_RECEIVER_PORT to another port.`,
    ]);
  });
});
