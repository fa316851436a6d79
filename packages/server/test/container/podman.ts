/** Builds and runs the image with podman, in a storage of its own. */
import { copyFile, cp, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { must, run, start } from './command.ts';
import type { Box, Engine, Image, Ingredients } from './engine.ts';

const [base, node, image] = ['localhost/paydesk-base', 'localhost/paydesk-node', 'localhost/paydesk'];

/** A machine that is itself a container may refuse resource limits and groups of processes, so podman does without. */
const narrow = {
  words: 'without cgroups',
  before: ['unshare', '-m', 'sh', '-c', 'umount /sys/fs/cgroup/unified 2>&-; exec "$@"', 'sh'],
  flags: ['--ulimit=nofile=1024:1024', '--ulimit=nproc=4096:4096', '--cgroups=disabled'],
};

const ways = [{ words: '', before: [], flags: [] }, narrow];

interface Podman {
  words: string;
  /** The command with its storage. */
  command: string[];
  /** Of `podman run`. */
  flags: string[];
}

/** The first way in which podman runs a program of the base system here; the last complaint if there is none. */
async function findWay({ home, base_tar }: Ingredients): Promise<Podman | string> {
  let complaint = '';
  for (const driver of ['overlay', 'vfs']) {
    const storage = ['--root', join(home, driver, 'root'), '--runroot', join(home, driver, 'run')];
    const settings = ['--storage-driver', driver, '--cgroup-manager', 'cgroupfs', '--events-backend', 'file'];
    const plain = ['podman', ...storage, ...settings];
    const { code, output } = await run([...plain, 'import', base_tar, base]);
    complaint = output;
    if (code !== 0) continue;
    for (const { words, before, flags } of ways) {
      const command = [...before, ...plain];
      const tried = await run([...command, 'run', '--rm', '--network=host', ...flags, base, '/bin/true']);
      complaint = tried.output;
      if (tried.code === 0) return { words: [driver, words].filter(Boolean).join(', '), command, flags };
    }
  }
  return complaint.trim().split('\n').at(-1) ?? '';
}

/** Podman as an engine; in words why it cannot run here. */
export async function podmanEngine(ingredients: Ingredients): Promise<Engine | string> {
  const way = await findWay(ingredients);
  if (typeof way === 'string') return way;
  const { words, command, flags } = way;
  const version = await must(['podman', '--version']);
  const hardened = ['--read-only', '--read-only-tmpfs=false', '--cap-drop=all'];
  const running = [...flags, ...hardened, '--security-opt=no-new-privileges', '--network=host'];
  const runCommand = (
    name: string,
    args: readonly string[],
    env: Readonly<Record<string, string>>,
  ): string[] => {
    const settings = Object.entries(env).map(([key, value]) => `--env=${key}=${value}`);
    return [...command, 'run', '--rm', `--name=${name}`, ...running, ...settings, image, ...args];
  };
  return {
    name: `${version.trim()} (${words})`,
    build: () => build(command, ingredients),
    run: (args, env) => run(runCommand('paydesk-once', args, env)),
    start: (name, args, env) => boxOf(command, name, start(runCommand(name, args, env))),
  };
}

function boxOf(command: readonly string[], name: string, running: ReturnType<typeof start>): Box {
  const exec = [...command, 'exec', name];
  return {
    async isHealthy(path) {
      const check = ['node', '/app/healthcheck.js', path ?? ''];
      const asked = path === undefined ? [...command, 'healthcheck', 'run', name] : [...exec, ...check];
      return (await run(asked)).code === 0;
    },
    inside: (script) => run([...exec, 'sh', '-c', script]),
    output: running.output,
    async stop() {
      const began = performance.now();
      await must([...command, 'stop', '-t', '20', name]);
      const { code } = await running.ended;
      return { code, took_ms: performance.now() - began };
    },
  };
}

/** Puts Node.js and npm on the base system, and builds the image with the Dockerfile of the repository. */
async function build(
  command: readonly string[],
  { root, home, node: program, npm }: Ingredients,
): Promise<Image> {
  const context = join(home, 'node');
  await mkdir(context);
  await copyFile(program, join(context, 'node'));
  await cp(npm, join(context, 'npm'), { recursive: true });
  const authorities = process.env.NODE_EXTRA_CA_CERTS;
  if (authorities !== undefined) await copyFile(authorities, join(context, 'authorities.pem'));
  await writeFile(
    join(context, 'Dockerfile'),
    [
      `FROM ${base}`,
      'RUN mkdir -p /var/log/apt && apt-get update && apt-get install --yes --no-install-recommends binutils',
      'COPY node /usr/local/bin/node',
      'COPY npm /usr/local/lib/node_modules/npm',
      'RUN chmod 755 /usr/local/bin/node && ln -s ../lib/node_modules/npm/bin/npm-cli.js /usr/local/bin/npm',
      ...(authorities === undefined
        ? []
        : ['COPY authorities.pem /etc/authorities.pem', 'ENV NODE_EXTRA_CA_CERTS=/etc/authorities.pem']),
    ].join('\n'),
  );
  const building = [...command, 'build', '--format=docker', '--isolation=chroot'];
  await must([...building, `--tag=${node}`, context]);
  const sources = [`--build-arg=NODE_IMAGE=${node}`, `--build-arg=BASE_IMAGE=${base}`];
  await must([...building, ...sources, '--build-arg=REVISION=test', `--tag=${image}`, root]);
  const [found] = JSON.parse(await must([...command, 'image', 'inspect', image])) as Inspected[];
  return { size_bytes: found?.Size ?? 0, problems: found === undefined ? ['no image'] : problemsOf(found) };
}

interface Inspected {
  Size: number;
  Config: { User?: string; Labels?: Record<string, string> };
  Healthcheck?: { Test?: string[] };
}

function problemsOf({ Config, Healthcheck }: Inspected): string[] {
  return [
    ...(Config.User === '10001:10001' ? [] : [`the user of the image is "${Config.User ?? ''}"`]),
    ...(Config.Labels?.['org.opencontainers.image.revision'] === 'test' ? [] : ['the labels are missing']),
    ...(Healthcheck?.Test === undefined ? ['there is no health check'] : []),
  ];
}
