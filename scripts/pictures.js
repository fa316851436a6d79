import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build, ensureInstalled, installed, requireNode, root, run } from './lib/workspace.js';
import { allTools, ensureTools, pictureTools } from './lib/tools.js';

/**
 * `npm run pictures`: takes the pictures of the checkout in every state and of every screen of the consoles, in a real
 * browser, and writes the sheets of them into docs/checkout.md and docs/consoles.md; `-- --checkout` and `-- --consoles` take
 * one of the two alone. `npm run pictures -- --all` takes none, and checks every state in every language, width
 * and colour scheme instead of the selection that `npm test` makes; it prints its progress, and with `--resume` it continues
 * a run that was stopped.
 */

requireNode();
const say = (line) => console.log(`pictures: ${line}`);
const images = join(root, 'docs', 'images', 'checkout');
const consoles = join(root, 'docs', 'images', 'consoles');
/** The folder for the pictures of `--all`, and for its progress. */
const checked = join(root, 'test-results', 'checkout-states');
const mark = '<!-- Everything below is written by "npm run pictures". -->';

/** @param {string[]} args @param {NodeJS.ProcessEnv} env */
async function vitest(args, env) {
  const { code } = await run(process.execPath, [installed('vitest/vitest.mjs'), 'run', ...args], {
    env: { ...process.env, ...env },
  });
  if (code !== 0) throw new Error('the browser found something wrong (above).');
}

/**
 * As few colours as possible without a visible difference, and no metadata.
 *
 * @param {string} images their directory
 */
function shrink(images) {
  const names = readdirSync(images).filter((name) => name.endsWith('.png'));
  const args = ['--force', '--strip', '--speed', '1', '--quality', '70-95', '--ext', '.png', '--', ...names];
  const { status, stderr } = spawnSync('pngquant', args, { cwd: images, encoding: 'utf8' });
  // 98 and 99: a picture came out no smaller, or not good enough, and was left as it is.
  if (status !== 0 && status !== 98 && status !== 99) throw new Error(`pngquant: ${stderr}`);
  const total = names.reduce((sum, name) => sum + statSync(join(images, name)).size, 0);
  say(`${names.length} pictures, ${Math.round(total / 1024)} KB`);
}

/**
 * Takes the pictures of one part again.
 *
 * @param {string} part the test that takes them
 * @param {string} images their directory
 */
async function take(part, images) {
  rmSync(images, { recursive: true, force: true });
  mkdirSync(images, { recursive: true });
  await vitest(['--project', 'pictures', part], { PAYDESK_PICTURES: images });
  shrink(images);
}

/**
 * Puts the sheet of the pictures below the words of a page.
 *
 * @param {string} name of the page
 * @param {string} images the directory with the sheet
 */
function writeSheet(name, images) {
  const page = join(root, 'docs', name);
  const [words = ''] = readFileSync(page, 'utf8').split(mark);
  const sheet = join(images, 'sheet.md');
  writeFileSync(page, `${words.trimEnd()}\n\n${mark}\n\n${readFileSync(sheet, 'utf8')}`);
  rmSync(sheet);
}

async function main() {
  await ensureInstalled(say);
  const all = process.argv.includes('--all');
  await ensureTools(say, all ? allTools : [...allTools, ...pictureTools]);
  const { code } = await build();
  if (code !== 0) throw new Error('the build failed (above).');
  if (all) {
    if (!process.argv.includes('--resume')) rmSync(checked, { recursive: true, force: true });
    await vitest(['--project', 'scenarios', 'checkout-states', '--testTimeout', '120000'], {
      PAYDESK_CHECKOUT_PRODUCT: 'all',
    });
    return;
  }
  if (!process.argv.includes('--checkout')) {
    await take('console', consoles);
    writeSheet('consoles.md', consoles);
  }
  if (process.argv.includes('--consoles')) return;
  await take('checkout', images);
  writeSheet('checkout.md', images);
}

try {
  await main();
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}
