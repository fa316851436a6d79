import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { freePort } from '../support/ports.ts';
import { startProgram } from '../support/source-process.ts';
import { dataDir } from './helpers.ts';

const repository = fileURLToPath(new URL('../../../..', import.meta.url));
const run = promisify(execFile);

interface Manifest {
  name: string;
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
}

/**
 * Packs every package and lays it into an empty folder as npm would: its files, and beside it the libraries that it asks
 * for, which come from this workspace instead of a registry. Nothing of `@paydesk` is among these.
 */
async function installed(...folders: string[]): Promise<string> {
  const folder = join(await dataDir(), 'shop');
  const modules = join(folder, 'node_modules');
  await mkdir(modules, { recursive: true });
  await writeFile(join(folder, 'package.json'), '{ "private": true }\n');
  const args = ['pack', '--json', '--loglevel', 'silent', '--pack-destination', folder];
  await run('npm', [...args, ...folders.flatMap((name) => ['-w', `packages/${name}`])], {
    cwd: repository,
    maxBuffer: 64 * 1024 * 1024,
  });
  for (const name of folders) {
    const home = join(repository, 'packages', name);
    const manifest = JSON.parse(await readFile(join(home, 'package.json'), 'utf8')) as Manifest & {
      version: string;
    };
    const tarball = join(
      folder,
      `${manifest.name.replace('@', '').replace('/', '-')}-${manifest.version}.tgz`,
    );
    const place = join(modules, manifest.name);
    await mkdir(place, { recursive: true });
    await run('tar', ['-xzf', tarball, '-C', place, '--strip-components=1']);
    const wanted = { ...manifest.dependencies, ...manifest.optionalDependencies };
    const from = createRequire(join(home, 'package.json'));
    for (const library of Object.keys(wanted)) {
      expect(library).not.toMatch(/^@paydesk\//);
      const found = from.resolve
        .paths(library)
        ?.map((path) => join(path, library))
        .find(existsSync);
      // An optional one of another platform is nowhere.
      if (found === undefined) continue;
      await mkdir(dirname(join(modules, library)), { recursive: true });
      if (!existsSync(join(modules, library))) await symlink(found, join(modules, library));
    }
  }
  return folder;
}

test('D-243 the packages work outside of this repository: a shop takes an order from the installed service', async () => {
  const folder = await installed('server', 'sdk', 'contract', 'cardsim');
  const [port, cardsim, receiver] = [await freePort(), await freePort(), await freePort()];
  const service = startProgram(join(folder, 'node_modules', 'paydesk', 'bin', 'paydesk.js'), ['start'], {
    cwd: folder,
    env: {
      PORT: String(port),
      PAYDESK_CARDSIM_PORT: String(cardsim),
      PAYDESK_RECEIVER_PORT: String(receiver),
      PAYDESK_DATA_DIR: join(folder, 'data'),
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
  const readme = async (name: string): Promise<string> => {
    const text = await readFile(join(folder, 'node_modules', name, 'README.md'), 'utf8');
    return /```js\n(.+?)```/s.exec(text)?.[1] ?? '';
  };
  for (const name of ['@paydesk/sdk', '@paydesk/contract']) {
    await writeFile(join(folder, 'example.mjs'), await readme(name));
    await run(process.execPath, ['example.mjs'], { cwd: folder, env });
  }

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
}, 120_000);
