/** Stands in for podman: the commands of the Dockerfile in an empty folder, run as another user on a read-only root. */
import { cp, mkdir, readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { environmentWith } from '../../../../scripts/lib/node-runtimes.js';
import { must, run, start } from './command.ts';
import type { Box, Engine, Image, Ingredients } from './engine.ts';

/** The user of the image. */
const user = ['setpriv', '--reuid=10001', '--regid=10001', '--clear-groups', '--no-new-privs'];

/** Runs "$@" where nothing can be written. */
const readOnly = 'mount --make-rprivate / && mount -o remount,bind,ro / && exec "$@"';

/** What the image sets. */
const ofImage = { NODE_ENV: 'production', HOST: '0.0.0.0' };

/** The engine without a container; in words why it cannot run here. */
export async function folderEngine(ingredients: Ingredients): Promise<Engine | string> {
  const { home, root, node } = ingredients;
  const isolated = ['unshare', '--mount', 'sh', '-c', readOnly, 'sh', ...user];
  const tried = await run([...isolated, 'sh', '-c', `! touch ${home}/probe 2>&-`]);
  if (tried.code !== 0) return tried.output.trim() || 'this user cannot make a read-only root';
  const out = join(home, 'out');
  const app = join(out, 'app');
  const program = join(out, 'usr', 'local', 'bin', 'node');
  const inside = (env: Readonly<Record<string, string>>) => ({
    cwd: app,
    env: { PATH: `${dirname(program)}:/usr/bin:/bin`, ...ofImage, ...env },
  });
  const paydesk = [...isolated, program, join(app, 'packages', 'server', 'bin', 'paydesk.js')];
  return {
    name: 'no container: an empty folder, another user, a read-only root',
    build: () => build(root, join(home, 'src'), out, environmentWith(node, process.env)),
    run: (args, env) => run([...paydesk, ...args], inside(env)),
    start(_name, args, env): Box {
      const running = start([...paydesk, ...args], inside(env));
      const within = (command: string[]) => run([...isolated, ...command], inside(env));
      return {
        isHealthy: async (path) =>
          (await within([program, join(app, 'healthcheck.js'), ...(path === undefined ? [] : [path])]))
            .code === 0,
        inside: (script) => within(['sh', '-c', script]),
        output: running.output,
        async stop() {
          const began = performance.now();
          running.child.kill('SIGTERM');
          const { code } = await running.ended;
          return { code, took_ms: performance.now() - began };
        },
      };
    },
  };
}

/** The steps of the Dockerfile, on the files that git knows. */
async function build(root: string, src: string, out: string, env: NodeJS.ProcessEnv): Promise<Image> {
  const listed = await must([
    'git',
    '-C',
    root,
    'ls-files',
    '-z',
    '--cached',
    '--others',
    '--exclude-standard',
  ]);
  for (const path of listed.split('\0').filter((name) => name !== '' && !/\.test\.tsx?$/.test(name))) {
    await mkdir(dirname(join(src, path)), { recursive: true });
    await cp(join(root, path), join(src, path), { verbatimSymlinks: true });
  }
  await must(['npm', 'ci', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: src, env });
  await must(['npm', 'run', 'build'], { cwd: src, env });
  await must(['node', 'deploy/container/collect.js', out], { cwd: src, env });
  const size = await must(['du', '-s', '--bytes', out]);
  const found = await readdir(join(out, 'app'));
  return {
    size_bytes: Number.parseInt(size, 10),
    problems: found.includes('healthcheck.js') ? [] : ['the health check is missing'],
  };
}
