import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { parseCommand, usage } from '../src/cli.ts';

describe('the command line', () => {
  const optionsOf = (...args: string[]) => {
    const command = parseCommand(args);
    return command.help ? undefined : command.options;
  };

  test('without arguments it is the default port on loopback', () => {
    expect(optionsOf()).toEqual({ host: '127.0.0.1', port: 8090, webhooks: [], allowRemoteControl: false });
  });

  test('webhooks come in pairs, an account follows its webhook', () => {
    const args =
      '--webhook http://a.test/1 --webhook-secret s1 --webhook=http://b.test/2 --webhook-account sk_test_b';
    expect(optionsOf(...args.split(' '), '--webhook-secret', 's2')?.webhooks).toEqual([
      { url: 'http://a.test/1', secret: 's1' },
      { url: 'http://b.test/2', secret: 's2', account: 'sk_test_b' },
    ]);
  });

  test('one secret may serve several webhooks', () => {
    const args = ['--webhook-secret', 's', '--webhook', 'http://a.test', '--webhook', 'http://b.test'];
    expect(optionsOf(...args)?.webhooks?.map(({ secret }) => secret)).toEqual(['s', 's']);
  });

  test('all other options', () => {
    const args = '--port 0 --host ::1 --public-url https://pay.test --state x.json --allow-remote-control';
    expect(optionsOf(...args.split(' '))).toEqual({
      host: '::1',
      port: 0,
      webhooks: [],
      allowRemoteControl: true,
      publicUrl: 'https://pay.test',
      stateFile: 'x.json',
    });
  });

  test.each([
    ['--port x', '--port must be a number'],
    ['--port 65536', '--port must be a number'],
    ['--webhook http://a.test', 'needs its --webhook-secret'],
    ['--webhook-secret s', 'needs its --webhook-secret'],
    ['--webhook-account sk_test_x', 'must follow'],
    ['--public-url nowhere', '--public-url must be'],
    ['--nonsense', "Unknown option '--nonsense'"],
  ])('%s is refused', (args, message) => {
    expect(() => parseCommand(args.split(' '))).toThrow(message);
  });
});

describe('the process', () => {
  // Node 20 does not run TypeScript, and the test must not depend on a build, so it compiles the sources
  // itself.
  const source = fileURLToPath(new URL('../src/', import.meta.url));
  const program = fileURLToPath(new URL('../.cache/program/', import.meta.url));

  beforeAll(() => {
    const files = readdirSync(source, { recursive: true, encoding: 'utf8' });
    for (const name of files.filter((file) => file.endsWith('.ts'))) {
      const { outputText } = ts.transpileModule(readFileSync(join(source, name), 'utf8'), {
        compilerOptions: {
          target: ts.ScriptTarget.ES2023,
          module: ts.ModuleKind.ESNext,
          rewriteRelativeImportExtensions: true,
          verbatimModuleSyntax: true,
        },
      });
      const target = join(program, name.replace(/\.ts$/, '.js'));
      mkdirSync(dirname(target), { recursive: true });
      writeFileSync(target, outputText);
    }
  });

  function run(...args: string[]) {
    const child = spawn(process.execPath, [join(program, 'main.js'), ...args], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    onTestFinished(() => {
      child.kill('SIGKILL');
    });
    let output = '';
    let errors = '';
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()));
    const ended = once(child, 'close').then(([code]) => ({ code: code as number | null, output, errors }));
    const started = once(child.stdout, 'data').then(() => /http:\S+/.exec(output)?.[0] ?? '');
    return { child, ended, started };
  }

  test('--help explains itself', async () => {
    expect(await run('--help').ended).toEqual({ code: 0, output: usage, errors: '' });
  });

  test('it serves until it is told to stop', async () => {
    const { child, ended, started } = run('--port', '0');
    const answer = await fetch(`${await started}/healthz`);
    expect(await answer.json()).toEqual({ status: 'ok' });
    child.kill('SIGTERM');
    expect(await ended).toMatchObject({ code: 0, errors: '' });
  });

  test('a port in use is one line', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    onTestFinished(() => {
      taken.close();
    });
    const { port } = taken.address() as AddressInfo;
    expect(await run('--port', String(port)).ended).toEqual({
      code: 1,
      output: '',
      errors: `paydesk-cardsim: Port ${port} is in use. Choose another one with --port.\n`,
    });
  });
});
