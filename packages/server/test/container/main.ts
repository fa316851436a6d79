import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startCardsim } from '@paydesk/cardsim';
import { openDatabasePair, until, urlOf } from '../chaos/database-pair.ts';
import { freePort } from '../support/servers/ports.ts';
import { startRedis } from '../support/servers/redis.ts';
import { temporaryDirectory } from '../support/run/temporary.ts';
import { baseSystem } from './base-system.ts';
import { must } from './command.ts';
import type { Box, Engine, Ingredients } from './engine.ts';
import { folderEngine } from './folder.ts';
import { podmanEngine } from './podman.ts';
import { buy, openShop } from './purchase.ts';

/**
 * `npm run test:container`: builds the image on a Debian system made by debootstrap, without an image registry, runs
 * it as compose.yaml does, pays an order, and ends it. Where podman cannot run, it runs the same commands in an empty
 * folder, as another user on a read-only root; `-- --without-podman` asks for that.
 * Arguments before the options: the program Node.js of the image, and the folder of npm.
 */

const root = fileURLToPath(new URL('../../../..', import.meta.url));
const [node = '', npm = '', ...options] = process.argv.slice(2);
const say = (line: string): void => {
  console.log(`container: ${line}`);
};

/** In megabytes, as image registries count them. */
const largest_mb = 250;
const stopWithin_ms = 10_500;

/** Every font of a document: the image has no other faces of them. */
const makeDocument = `
  const { pdfDocument, useFont } = await import(process.cwd() + "/packages/server/dist/base/pdf/document.js");
  const write = (doc) => {
    for (const [face, text] of [["plain", "a"], ["bold", "a"], ["plain", "\\u6f22"]]) {
      useFont(doc, face, text);
      doc.text(text);
    }
  };
  let size = 0;
  for await (const part of pdfDocument({ title: "", author: "", margin: 40 }, write)) size += part.length;
  console.log(size);`;
const serviceRole = 'paydesk_app';

const problems: string[] = [];
const undo: (() => Promise<unknown>)[] = [];

/** Notes whether something holds. */
function check(holds: boolean, words: string): void {
  say(`${holds ? 'ok    ' : 'FAILED'} ${words}`);
  if (!holds) problems.push(words);
}

try {
  const engine = await openEngine();
  say(`runs in: ${engine.name}`);
  await buildWith(engine);
  await runWith(engine);
} catch (error) {
  check(false, (error as Error).stack ?? String(error));
} finally {
  for (const step of undo.reverse())
    await step().catch((error: unknown) => {
      console.error(error);
    });
}
if (problems.length > 0) process.exitCode = 1;
say(problems.length === 0 ? 'all is well' : `${problems.length} FAILED`);

/** Removes the storage of podman, which has mounted a part of it on itself. */
async function remove(path: string): Promise<void> {
  const mounts = (await readFile('/proc/self/mounts', 'utf8'))
    .split('\n')
    .map((line) => line.split(' ')[1] ?? '');
  for (const mount of mounts.filter((at) => at.startsWith(`${path}/`)).reverse())
    await must(['umount', '-l', mount]);
  await must(['rm', '-rf', path]);
}

async function openEngine(): Promise<Engine> {
  const home = await temporaryDirectory('container');
  undo.push(() => remove(home.path));
  const base_tar = await baseSystem(join(root, '.cache', 'container'), home.path, say);
  const ingredients: Ingredients = { root, home: home.path, base_tar, node, npm, log: say };
  const podman = options.includes('--without-podman')
    ? 'it is not asked for'
    : await podmanEngine(ingredients);
  if (typeof podman !== 'string') return podman;
  say(`without podman: ${podman}`);
  const folder = await folderEngine(ingredients);
  if (typeof folder !== 'string') return folder;
  throw new Error(`There is neither podman nor a read-only root here: ${folder}`);
}

async function buildWith(engine: Engine): Promise<void> {
  say('building the image');
  const image = await engine.build();
  for (const problem of image.problems) check(false, problem);
  const size_mb = Math.round(image.size_bytes / 1_000_000);
  check(size_mb > 0 && size_mb <= largest_mb, `the image has ${size_mb} MB, at most ${largest_mb}`);
}

async function runWith(engine: Engine): Promise<void> {
  const servers = await temporaryDirectory('container-servers');
  undo.push(() => servers.remove());
  const database = await openDatabasePair([join(servers.path, 'a'), join(servers.path, 'b')]);
  undo.push(() => database.stop());
  const redis = await startRedis();
  undo.push(() => redis.stop());
  const cardsim = await startCardsim();
  undo.push(() => cardsim.close());
  const owner = urlOf(database.primary().port);
  const key = { PAYDESK_SECRET_KEY: randomBytes(32).toString('base64') };

  for (const args of [['migrate'], ['grant-role', serviceRole]]) {
    const { code, output } = await engine.run(args, { ...key, DATABASE_URL: owner });
    check(code === 0, `paydesk ${args[0] ?? ''} ends with 0${code === 0 ? '' : `: ${output}`}`);
  }
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const admin_key = randomBytes(24).toString('base64url');
  const shared = {
    ...key,
    DATABASE_URL: owner.replace('//paydesk@', `//${serviceRole}@`),
    REDIS_URL: redis.url,
    PAYDESK_PUBLIC_URL: url,
    PAYDESK_ADMIN_KEY: admin_key,
  };
  const web = await startRole(engine, 'web', { ...shared, PORT: String(port) });
  const worker = await startRole(engine, 'worker', shared);
  await checkInside(web);
  const shop = await openShop(url, admin_key, cardsim);
  for (const provider of ['ptk', 'cardprov'] as const) {
    const order_no = await buy(shop, provider);
    check(true, `order ${order_no} is paid (${provider})`);
  }
  for (const [name, box] of [
    ['web', web],
    ['worker', worker],
  ] as const)
    await checkStop(name, box);
  await checkEarlyStop(engine, key);
}

/** Starts the service in one role and waits for its health check. */
async function startRole(engine: Engine, role: string, env: Record<string, string>): Promise<Box> {
  const ops = { PAYDESK_OPS_PORT: String(await freePort()) };
  const box = engine.start(`paydesk-${role}`, ['serve', '--role', role, '--no-migrate'], { ...env, ...ops });
  undo.push(() => box.stop().catch(() => undefined));
  try {
    await until(() => box.isHealthy(), 90_000);
    await until(() => box.isHealthy('/readyz'), 30_000);
  } catch (error) {
    throw new Error(`${role}: ${(error as Error).message}\n${box.output()}`, { cause: error });
  }
  check(true, `${role}: the health check is green, and it is ready`);
  return box;
}

async function checkInside(box: Box): Promise<void> {
  const { output: uid } = await box.inside('id -u');
  check(uid.trim() === '10001', `it runs as user ${uid.trim()}`);
  const written = await box.inside(
    'for d in / /app /tmp /var/tmp; do touch $d/probe 2>&- && echo $d; done; true',
  );
  check(written.output.trim() === '', `nothing can be written: "${written.output.trim()}"`);
  const pdf = await box.inside(`node --input-type=module -e '${makeDocument}'`);
  check(pdf.code === 0, `a document in every font has ${pdf.output.trim()} bytes`);
}

/** A stop in good order takes at most ten seconds (H-24), and the log has no error. */
async function checkStop(name: string, box: Box): Promise<void> {
  const { code, took_ms } = await box.stop();
  const took = `${Math.round(took_ms)} ms`;
  check(
    code === 0 && took_ms <= stopWithin_ms,
    `${name}: SIGTERM ends it with ${String(code)} after ${took}`,
  );
  const errors = box
    .output()
    .split('\n')
    .filter((line) => /"level":"(error|fatal)"/.test(line));
  check(errors.length === 0, `${name}: the log has no error${errors.map((line) => `\n${line}`).join('')}`);
}

/** Process 1 of a container ignores a signal that it does not handle: also while it waits for the database. */
async function checkEarlyStop(engine: Engine, key: Record<string, string>): Promise<void> {
  let connected = (): void => undefined;
  const waits = new Promise<void>((resolve) => (connected = resolve));
  // It reads and never answers.
  const silent = createServer((socket) => {
    socket.on('error', () => undefined).resume();
    connected();
  });
  const port = await freePort();
  await new Promise<void>((resolve) => silent.listen(port, '127.0.0.1', resolve));
  undo.push(() => new Promise((resolve) => silent.close(resolve)));
  const DATABASE_URL = `postgresql://paydesk@127.0.0.1:${port}/paydesk`;
  const box = engine.start('paydesk-early', ['serve'], { ...key, DATABASE_URL });
  await waits;
  const { took_ms } = await box.stop();
  check(
    took_ms < 5_000,
    `SIGTERM ends it while the database does not answer: after ${Math.round(took_ms)} ms`,
  );
}
