import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { text as bodyOf } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { freePort } from '../support/servers/ports.ts';
import { startProgram } from '../support/run/source-process.ts';
import { temporaryDirectory, type TemporaryDirectory } from '../support/run/temporary.ts';
import { dataDir } from './helpers.ts';

const repository = fileURLToPath(new URL('../../../..', import.meta.url));
const run = promisify(execFile);

interface Manifest {
  name: string;
  version: string;
  bin?: Record<string, string>;
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
}

const published = ['contract', 'sdk', 'cardsim', 'medusa-payment', 'vendure-payment', 'server'];
let packed: TemporaryDirectory;

beforeAll(async () => {
  packed = await temporaryDirectory('packed');
  const args = ['pack', '--json', '--loglevel', 'silent', '--pack-destination', packed.path];
  await run('npm', [...args, ...published.flatMap((name) => ['-w', `packages/${name}`])], {
    cwd: repository,
    maxBuffer: 64 * 1024 * 1024,
  });
}, 600_000);
afterAll(() => packed.remove());

/**
 * Lays packages into an empty folder as npm would: their files, their programs, and beside them the libraries that they ask
 * for, which come from this workspace instead of a registry. Nothing of `@paydesk` is among these.
 */
async function installed(...folders: string[]): Promise<string> {
  const folder = join(await dataDir(), 'shop');
  const modules = join(folder, 'node_modules');
  await mkdir(join(modules, '.bin'), { recursive: true });
  await writeFile(join(folder, 'package.json'), '{ "private": true }\n');
  for (const name of folders) {
    const home = join(repository, 'packages', name);
    const manifest = JSON.parse(await readFile(join(home, 'package.json'), 'utf8')) as Manifest;
    const tarball = `${manifest.name.replace('@', '').replace('/', '-')}-${manifest.version}.tgz`;
    const place = join(modules, manifest.name);
    await mkdir(place, { recursive: true });
    await run('tar', ['-xzf', join(packed.path, tarball), '-C', place, '--strip-components=1']);
    for (const [program, file] of Object.entries(manifest.bin ?? {}))
      await symlink(join(place, file), join(modules, '.bin', program));
    const wanted = Object.keys({ ...manifest.dependencies, ...manifest.optionalDependencies });
    expect(wanted.filter((library) => library.startsWith('@paydesk/'))).toEqual([]);
    for (const library of wanted) await link(library, home, modules);
  }
  return folder;
}

/** An optional library of another platform is nowhere. */
async function link(library: string, home: string, modules: string): Promise<void> {
  const found = createRequire(join(home, 'package.json'))
    .resolve.paths(library)
    ?.map((path) => join(path, library))
    .find(existsSync);
  if (found === undefined || existsSync(join(modules, library))) return;
  await mkdir(dirname(join(modules, library)), { recursive: true });
  await symlink(found, join(modules, library));
}

/** The first example of an installed package's README, unchanged. */
async function readme(folder: string, name: string): Promise<string> {
  const text = await readFile(join(folder, 'node_modules', name, 'README.md'), 'utf8');
  const [, example] = /```js\n(.+?)```/s.exec(text) ?? [];
  if (example === undefined) throw new Error(`the README of ${name} has no example`);
  return example;
}

async function runExample(
  folder: string,
  name: string,
  env: NodeJS.ProcessEnv,
  end = 'mjs',
): Promise<string> {
  const file = `example.${end}`;
  await writeFile(join(folder, file), await readme(folder, name));
  return (await run(process.execPath, [file], { cwd: folder, env })).stdout;
}

/** An address that traces are sent to, and the first that arrived. */
async function collector(): Promise<{ url: string; first: Promise<string> }> {
  const server = createServer();
  const first = new Promise<string>((resolve) => {
    server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      void bodyOf(request).then((body) => {
        response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
        resolve(`${request.url ?? ''} ${body}`);
      });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, first };
}

test.each<[string, string[]]>([
  ['contract', ['-e', "import('@paydesk/contract').then((m) => m.openapi.call)"]],
  ['sdk', ['-e', "import('@paydesk/sdk').then((m) => m.createClient.call)"]],
  ['cardsim', ['node_modules/.bin/paydesk-cardsim', '--help']],
  ['medusa-payment', ['-e', "require.resolve('@paydesk/medusa-payment')"]],
  ['vendure-payment', ['-e', "require.resolve('@paydesk/vendure-payment')"]],
  ['server', ['node_modules/.bin/paydesk', '--version']],
])('D-243 %s works by itself', async (name, args) => {
  const folder = await installed(name);
  await run(process.execPath, args, { cwd: folder });
});

test('D-373 the simulator does what its README says first', async () => {
  const folder = await installed('cardsim');
  await link('stripe', join(repository, 'packages', 'server'), join(folder, 'node_modules'));
  const port = String(await freePort());
  const options = [
    '--port',
    port,
    '--webhook',
    'http://127.0.0.1:1/webhooks',
    '--webhook-secret',
    'whsec_local',
  ];
  const program = startProgram(join(folder, 'node_modules', '.bin', 'paydesk-cardsim'), options, {
    cwd: folder,
    env: {},
  });
  onTestFinished(async () => {
    await program.kill('SIGTERM');
  });
  await program.line();
  const url = await runExample(folder, '@paydesk/cardsim', { PATH: process.env.PATH, CARDSIM_PORT: port });
  expect(url).toContain(`http://127.0.0.1:${port}/`);
  expect((await fetch(url.trim())).status).toBe(200);
});

test('D-373 without its shop system a plug-in says what is missing, and its settings can be read', async () => {
  const folder = await installed('medusa-payment', 'vendure-payment');
  await runExample(folder, '@paydesk/medusa-payment', { PATH: process.env.PATH }, 'cjs');
  await expect(
    runExample(folder, '@paydesk/vendure-payment', { PATH: process.env.PATH }),
  ).rejects.toMatchObject({
    stderr: expect.stringContaining("Cannot find module '@vendure/core'") as string,
  });
});

test('D-243 D-373 D-561 the packages work outside of this repository, one after another: a shop takes an order from the service', async () => {
  const folder = await installed(...published);
  const traces = await collector();
  const [port, cardsim, receiver] = [await freePort(), await freePort(), await freePort()];
  const service = startProgram(join(folder, 'node_modules', 'paydesk', 'bin', 'paydesk.js'), ['start'], {
    cwd: folder,
    env: {
      PORT: String(port),
      PAYDESK_CARDSIM_PORT: String(cardsim),
      PAYDESK_RECEIVER_PORT: String(receiver),
      PAYDESK_DATA_DIR: join(folder, 'data'),
      OTEL_EXPORTER_OTLP_ENDPOINT: traces.url,
      OTEL_BSP_SCHEDULE_DELAY: '100',
    },
  });
  onTestFinished(async () => {
    await service.kill('SIGTERM');
  });
  let table = '';
  while (!table.includes('idempotency_key')) table += `${await service.line()}\n`;
  expect((await fetch(`http://127.0.0.1:${port}/console`)).status).toBe(200);

  const env = {
    PATH: process.env.PATH,
    PAYDESK_URL: `http://127.0.0.1:${port}`,
    PAYDESK_CLIENT_ID: /Client id\s+(\S+)/.exec(table)?.[1],
    PAYDESK_CLIENT_SECRET: /Client secret\s+(\S+)/.exec(table)?.[1],
  };
  expect(await runExample(folder, '@paydesk/sdk', env)).toMatch(/^\S+ pending\n$/);
  expect(await runExample(folder, '@paydesk/contract', env)).toMatch(/^\d+ paths\n/);
  expect(await traces.first).toMatch(/^\/v1\/traces .*"paydesk"/);

  // The same package as CommonJS, and its program: the order of the example has no record here.
  const required = `
    const { createClient } = require('@paydesk/sdk');
    require('@paydesk/sdk/express').notificationHandler;
    const { PAYDESK_URL, PAYDESK_CLIENT_ID, PAYDESK_CLIENT_SECRET } = process.env;
    createClient({ base_url: PAYDESK_URL, client_id: PAYDESK_CLIENT_ID, client_secret: PAYDESK_CLIENT_SECRET })
      .listOrders({ external_reference: 'SO-1001' }).then((orders) => console.log(orders.length));`;
  const counted = await run(process.execPath, ['--input-type=commonjs', '-e', required], {
    cwd: folder,
    env,
  });
  expect(counted.stdout).toBe('1\n');
  await writeFile(join(folder, 'records.csv'), 'external_reference,amount,currency,status\n');
  const program = join('node_modules', '@paydesk', 'sdk', 'bin', 'paydesk-sdk.js');
  const args = [program, 'reconcile', '--since', '2020-01-01T00:00:00Z', '--records', 'records.csv'];
  const differing = await run(process.execPath, args, { cwd: folder, env }).catch((error: unknown) => error);
  expect(differing).toMatchObject({
    code: 1,
    stdout: expect.stringMatching(
      /^no record of yours: Paydesk \S+ \(SO-1001 10\.00 USD pending\)$/m,
    ) as string,
  });

  // The developer's commands, for the client of the demo.
  const paydesk = (...given: string[]) =>
    run(process.execPath, [join('node_modules', 'paydesk', 'bin', 'paydesk.js'), ...given], {
      cwd: folder,
      env: { PATH: process.env.PATH, HOME: folder, PAYDESK_DATA_DIR: join(folder, 'data') },
    });
  await expect(paydesk('orders')).rejects.toMatchObject({
    stderr: expect.stringMatching(/paydesk login/) as string,
  });
  await paydesk('login', '--url', `http://127.0.0.1:${port}`);
  expect((await stat(join(folder, '.config', 'paydesk', 'login.json'))).mode & 0o777).toBe(0o600);
  const triggered = await Promise.all(
    ['refunded', 'chargeback'].map((outcome) => paydesk('trigger', outcome)),
  );
  expect(
    triggered.map(({ stdout }) => [...stdout.matchAll(/ is (\w+)/g)].map(([, status]) => status)),
  ).toEqual([
    ['pending', 'paid', 'refunded'],
    ['pending', 'paid', 'chargeback'],
  ]);
  const { stdout: listed } = await paydesk('orders', '--limit', '3');
  expect([...listed.matchAll(/^\S+ {2}(\w+)/gm)].map(([, status]) => status).toSorted()).toEqual([
    'chargeback',
    'pending',
    'refunded',
  ]);
}, 900_000);
