import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { testEnvironment } from './lib/test-environment.js';
import { ensureTools, toolsFor } from './lib/tools.js';
import { ensureBuilt, ensureInstalled, installed, npm, requireNode, root, run } from './lib/workspace.js';

/**
 * `npm run test:shops -- vendure`: sells an item in a real shop. It installs the shop system, in the versions that are
 * locked in packages/…-payment/test/shop, into a folder of the user's cache; there the packed plug-in is installed as a
 * merchant would. Shop systems are too large for the workspace, so this is no part of `npm test`.
 */

const shops = ['vendure', 'medusa'];
const say = (/** @type {string} */ line) => console.log(`shops: ${line}`);

/** @param {{ code: number, output: string }} result @param {string} what */
function mustWork({ code, output }, what) {
  if (code !== 0) throw new Error(`${what} failed: ${output}`);
}

/**
 * The folder with the shop system, which is installed where its lock has changed.
 *
 * @param {string} shop
 * @param {string} sources
 */
async function installShop(shop, sources) {
  const cache = process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache');
  const home = join(cache, 'paydesk', 'shops', shop);
  const stamp = join(home, '.lock-digest');
  const digest = createHash('sha256')
    .update(readFileSync(join(sources, 'package-lock.json')))
    .digest('hex');
  mkdirSync(home, { recursive: true });
  for (const file of ['package.json', 'package-lock.json']) cpSync(join(sources, file), join(home, file));
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === digest) return home;
  say(`installing ${shop} into ${home}: some minutes`);
  rmSync(stamp, { force: true });
  const quiet = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel', 'error'];
  // The strictness about versions of Node.js is this workspace's, not the shop's. Not "npm ci": it asks for the parts of all
  // platforms, which not every registry has.
  const args = ['install', '--prefix', home, '--engine-strict=false', ...quiet];
  mustWork(await npm(args, { quiet: true, niceness: 10 }), 'npm install');
  writeFileSync(stamp, digest);
  return home;
}

/** Packs the plug-in and installs the tarball beside the shop system. @param {string} shop @param {string} home */
async function installPlugin(shop, home) {
  const packing = [
    'pack',
    '--loglevel',
    'silent',
    '--pack-destination',
    home,
    '-w',
    `packages/${shop}-payment`,
  ];
  mustWork(await npm(packing, { quiet: true }), 'npm pack');
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const tarball = join(home, `paydesk-${shop}-payment-${version}.tgz`);
  const place = join(home, 'node_modules', '@paydesk', `${shop}-payment`);
  rmSync(place, { recursive: true, force: true });
  mkdirSync(place, { recursive: true });
  mustWork(await run('tar', ['-xzf', tarball, '-C', place, '--strip-components=1'], { quiet: true }), 'tar');
  // The shop is configured by the first example of the README, word by word.
  const [, example = ''] = /```js\n(.+?)```/s.exec(readFileSync(join(place, 'README.md'), 'utf8')) ?? [];
  writeFileSync(join(home, `readme.${/^import /m.test(example) ? 'mjs' : 'cjs'}`), example);
}

/** Compiles the plug-in against the types of the real shop system. @param {string} shop @param {string} home */
async function checkTypes(shop, home) {
  const plugin = join(root, 'packages', `${shop}-payment`);
  const place = join(home, 'check');
  rmSync(place, { recursive: true, force: true });
  cpSync(join(plugin, 'src'), join(place, 'src'), {
    recursive: true,
    filter: (path) => !/host\.d\.ts$|\.test\.ts$/.test(path),
  });
  const sdk = join(root, 'packages', 'sdk', 'src');
  const settings = {
    extends: join(plugin, 'tsconfig.build.json'),
    compilerOptions: {
      composite: false,
      incremental: false,
      tsBuildInfoFile: null,
      noEmit: true,
      rootDir: '/',
      typeRoots: [join(root, 'node_modules', '@types')],
      paths: {
        '@paydesk/sdk': [join(sdk, 'index.ts')],
        '@paydesk/sdk/shop': [join(sdk, 'shop', 'index.ts')],
      },
    },
    include: ['src'],
    references: [],
  };
  writeFileSync(join(place, 'tsconfig.json'), JSON.stringify(settings, null, 2));
  const tsc = installed('@typescript/native/bin/tsc');
  mustWork(await run(process.execPath, [tsc, '-p', place], { quiet: true }), 'the check of types');
}

/** @param {string} shop */
async function main(shop) {
  if (!shops.includes(shop)) throw new Error(`Say which shop: npm run test:shops -- ${shops.join('|')}`);
  await ensureInstalled(say);
  await ensureTools(say, toolsFor(['packages/server/test/browser/']));
  await ensureBuilt(say);
  const sources = join(root, 'packages', `${shop}-payment`, 'test', 'shop');
  const home = await installShop(shop, sources);
  await installPlugin(shop, home);
  say('checking the types');
  await checkTypes(shop, home);
  const programs = readdirSync(sources).filter((file) => /\.m?js$/.test(file));
  for (const file of programs) cpSync(join(sources, file), join(home, file));
  rmSync(join(home, 'src'), { recursive: true, force: true });
  if (existsSync(join(sources, 'src'))) cpSync(join(sources, 'src'), join(home, 'src'), { recursive: true });
  const vitest = ['run', '--project', 'shops', ...process.argv.slice(3)];
  const { code } = await run(process.execPath, [installed('vitest/vitest.mjs'), ...vitest], {
    env: { ...testEnvironment(), PAYDESK_SHOP: shop, PAYDESK_SHOP_HOME: home },
  });
  process.exitCode = code;
}

requireNode();
try {
  await main(process.argv[2] ?? '');
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}
