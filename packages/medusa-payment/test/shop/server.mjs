/** Migrates, fills and starts the Medusa shop of this folder. It prints one line when the shop is ready. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

const medusa = (...args) =>
  spawn(process.execPath, ['node_modules/@medusajs/cli/cli.js', ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, MEDUSA_DISABLE_TELEMETRY: 'true', NODE_ENV: 'development' },
  });

async function finish(...args) {
  const child = medusa(...args);
  let said = '';
  child.stdout.on('data', (text) => (said += text));
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error(`medusa ${args.join(' ')} ended with ${code}: ${said}`);
}

// Started again, it is filled already.
if (!existsSync(join(process.env.SHOP_FOLDER, 'seeded.json'))) {
  await finish('db:migrate', '--execute-all-links');
  await finish('exec', './seed.js');
}
const shop = medusa('start', '--port', process.env.PORT, '--host', '127.0.0.1');
shop.stdout.on('data', (text) => {
  if (/error|warn/i.test(String(text))) process.stdout.write(text);
});
shop.on('exit', (code) => process.exit(code ?? 1));
process.on('SIGTERM', () => shop.kill('SIGTERM'));
const isUp = () =>
  fetch(`http://127.0.0.1:${process.env.PORT}/health`).then(
    ({ ok }) => ok,
    () => false,
  );
while (!(await isUp())) await new Promise((resolve) => setTimeout(resolve, 200));
console.log('ready');
