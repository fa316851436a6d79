import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';

/** A process that logs more than memory keeps, while its output is not read. */
const source = `
  import { createLog, keepLogAtEnd, readLosses } from ${JSON.stringify(fileURLToPath(new URL('../../src/base/log.ts', import.meta.url)))};
  const log = createLog('info');
  keepLogAtEnd(log);
  const pad = 'x'.repeat(10_000);
  for (let i = 0; i < 600; i++) log.info({ i, pad }, 'line');
  process.stderr.write('alive ' + readLosses(log).dropped + '\\n');
  process.stdin.once('data', () => {
    if (process.argv[1] === 'crash') throw new TypeError('boom');
    setTimeout(() => process.exit(0), 100);
  });
`;
const hooks = fileURLToPath(new URL('../support/run/register-typescript.js', import.meta.url));
/** As in source-process.ts: to load TypeScript takes most of the start. */
const stripped = fileURLToPath(new URL('../../../../.cache/stripped', import.meta.url));

function start(...args: string[]): ChildProcess {
  const options = ['--conditions', 'paydesk-source', '--import', hooks, '--input-type=module', '-e', source];
  mkdirSync(stripped, { recursive: true });
  const child = spawn(process.execPath, [...options, '--', ...args], {
    stdio: ['pipe', 'pipe', 'pipe'],
    env: { ...process.env, NODE_OPTIONS: '', PAYDESK_STRIPPED: stripped },
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
}

test(
  'a pipe without a reader does not stop a process; at its end the lines that waited are written',
  { timeout: 300_000 },
  async () => {
    const child = start('crash');
    const [said] = (await once(child.stderr ?? child, 'data')) as [Buffer];
    // Its output is still unread, and 6 MB do not fit into a pipe: a process that waits would not say this.
    const dropped = Number(/alive (\d+)/.exec(said.toString())?.[1]);
    expect(dropped).toBeGreaterThan(100);
    let text = '';
    child.stdout?.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
    child.stdin?.write('go\n');
    await once(child, 'close');
    const lines = text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(lines.filter(({ msg }) => msg === 'line')).toHaveLength(600 - dropped);
    expect(lines.find(({ dropped: count }) => count !== undefined)).toMatchObject({ level: 'warn', dropped });
    expect(lines.at(-1)).toMatchObject({ level: 'fatal', err: { type: 'TypeError', message: 'boom' } });
  },
);

test('a pipe whose reader has ended does not stop a process', async () => {
  const child = start('stay');
  child.stdout?.destroy();
  await once(child.stderr ?? child, 'data');
  child.stdin?.write('go\n');
  const [code] = (await once(child, 'exit')) as [number | null];
  expect(code).toBe(0);
});
