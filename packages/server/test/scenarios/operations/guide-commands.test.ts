import { randomBytes } from 'node:crypto';
import { appendFile, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { readConfig } from '../../../src/config.ts';
import { type Collector, openCollector } from '../../support/servers/collector.ts';
import { askDatabase } from '../../support/servers/database.ts';
import {
  type Block,
  blocksOf,
  guide,
  inlineCodeOf,
  paydeskCalls,
  root,
  shellCommands,
} from '../../support/rules/guide.ts';
import { assigned, type Ended, type GuideShell, openGuideShell } from '../../support/rules/guide-shell.ts';
import { freePort } from '../../support/servers/ports.ts';
import { type TemporaryDirectory, temporaryDirectory } from '../../support/run/temporary.ts';
import { debianPostgresBin } from '../../support/run/tools.ts';

/** Every command of the guide for operators is run, or another test that runs it is named (H-24). */

/** Where a block is run instead: a file with words that show it. Or why it is not. */
interface Elsewhere {
  page: string;
  /** Words of the block. */
  block: string;
  file?: string;
  words?: string;
  why?: string;
}

const machine = 'it changes a machine as root, or needs a network';
const container = { file: 'packages/server/test/container/main.ts', words: 'readyz' };
const systemd = { file: 'packages/server/test/unit/systemd.test.ts', words: 'systemd takes the units' };
const kubernetes = {
  file: 'packages/server/test/unit/kubernetes.test.ts',
  words: 'kustomize takes every manifest',
};
const kubernetesRestore = {
  file: 'packages/server/test/unit/kubernetes.test.ts',
  words: 'for a restore there is a pod with a volume for the letters',
};
const execInPod = 'it needs a cluster; the pod and its volume are checked by unit/kubernetes.test.ts';
const restore = 'packages/server/test/scenarios/operations/restore-guide.test.ts';
const failover = 'packages/server/test/scenarios/operations/failover-guide.test.ts';

const runElsewhere: readonly Elsewhere[] = [
  {
    page: 'README.md',
    block: 'npm run drill',
    file: 'packages/server/test/drills/main.ts',
    words: 'Object.hasOwn(drills',
  },
  {
    page: 'alerts.md',
    block: 'promtool',
    file: 'packages/server/test/unit/alerts.test.ts',
    words: "'check', 'rules'",
  },
  {
    page: 'container.md',
    block: 'git clone',
    file: 'packages/server/test/unit/compose.test.ts',
    words: "'up.sh'",
  },
  { page: 'container.md', block: 'docker compose ps', ...container },
  {
    page: 'container.md',
    block: 'git pull',
    file: 'packages/server/test/unit/compose.test.ts',
    words: "'up.sh'",
  },
  {
    page: 'container.md',
    block: 'pg_dump',
    why: `${machine}: it is a plain pg_dump in the container of PostgreSQL`,
  },
  {
    page: 'container.md',
    block: 'pg_restore',
    why: `${machine}: it is a plain pg_restore in the container of PostgreSQL`,
  },
  {
    page: 'container.md',
    block: 'web after-restore',
    file: 'packages/server/test/scenarios/books/after-restore.test.ts',
    words: "run('after-restore'",
  },
  {
    page: 'container.md',
    block: 'docker build',
    file: 'packages/server/test/container/podman.ts',
    words: "'build'",
  },
  {
    page: 'failover.md',
    block: 'RECONNECT',
    why: 'a command of PgBouncer itself; the drill pgbouncer restarts it instead',
  },
  ...[
    'CREATE ROLE replicator',
    'pg_basebackup',
    'pg_promote',
    `'SyncRep'`,
    'greatest(',
    'primary_conninfo',
    'pg_rewind',
    'RESET synchronous_standby_names',
  ].map((block) => ({ page: 'failover.md', block, file: failover, words: block })),
  { page: 'kubernetes.md', block: 'create namespace', ...kubernetes },
  { page: 'kubernetes.md', block: 'delete job', ...kubernetes },
  { page: 'kubernetes.md', block: '--replicas=0', ...kubernetesRestore },
  { page: 'kubernetes.md', block: 'cat > /letters/archive.jsonl', why: execInPod },
  {
    page: 'kubernetes.md',
    block: 'kubectl apply -k .\nkubectl --namespace paydesk rollout',
    ...kubernetesRestore,
  },
  { page: 'kubernetes.md', block: 'tar -C /letters', why: execInPod },
  {
    page: 'kubernetes.md',
    block: 'exec deployment',
    why: 'it needs a cluster; the commands are checked by unit/guide.test.ts',
  },
  { page: 'restore.md', block: 'pg_basebackup', file: restore, words: "guideHas('pg_basebackup')" },
  { page: 'restore.md', block: 'recovery.signal', file: restore, words: "guideHas('recovery.signal')" },
  { page: 'systemd.md', block: 'systemd-sysusers', ...systemd },
  { page: 'systemd.md', block: 'systemctl restart', why: machine },
  { page: 'systemd.md', block: 'systemctl disable', why: machine },
  { page: 'systemd.md', block: 'systemd-run', why: `${machine}: verify-ledger itself runs here` },
];

/** Without a provider and data these commands find nothing to do here. These tests run them on both. */
const provedElsewhere: Readonly<Record<string, Pick<Elsewhere, 'file' | 'words'>>> = {
  'after-restore': {
    file: 'packages/server/test/scenarios/books/after-restore.test.ts',
    words: "run('after-restore'",
  },
  'reconcile-provider': {
    file: 'packages/server/test/scenarios/payments/reconcile-provider.test.ts',
    words: "run('reconcile-provider'",
  },
  'import-orders': {
    file: 'packages/server/test/scenarios/archive/import-orders.test.ts',
    words: "runCommand(['import-orders'",
  },
};

const placeOf = (page: string): string => page.replace('docs/operating/', '');
const isElsewhere = (block: Block): boolean =>
  runElsewhere.some((one) => one.page === placeOf(block.page) && block.text.includes(one.block));

const pages = guide();
const blocks = pages.flatMap(blocksOf).filter(({ language }) => ['sh', 'sql'].includes(language));
const isSettings = ({ language, text }: Block): boolean =>
  language === 'sh' && shellCommands(text).every((words) => words.every((word) => /^[A-Z_]+=/.test(word)));
const here = blocks.filter((block) => !isElsewhere(block));
/** The service of this block runs until the end. */
const making = here.find(({ page }) => placeOf(page) === 'postgresql.md');
/** The service of this block sends its spans to a collector of this test. */
const traced = here.find(
  ({ page, text }) => placeOf(page) === 'traces-and-metrics.md' && text.includes('OTEL_'),
);
const rest = here.filter((block) => block !== making && block !== traced);

const examples = pages
  .filter(({ path }) => path.endsWith('/commands.md'))
  .flatMap(blocksOf)
  .flatMap(({ text }) => /\nExample:\n([^]*)$/.exec(text)?.[1]?.replaceAll(/^ +/gm, '') ?? [])
  // They need the demo, which has an embedded database of its own: embedded/npm-start.test.ts and packages.test.ts run them.
  .filter((text) => !/\bpaydesk (?:start|login|orders|trigger)\b/.test(text))
  // They need a cluster: test/support/servers/citus.ts distributes one.
  .filter((text) => !/\bpaydesk (?:distribute|nodes|move-merchant)\b/.test(text));

const callsOf = (text: string): string[] => paydeskCalls(text).map((args) => args.join(' '));
const inBlocks = new Set([...here.map(({ text }) => text), ...examples].flatMap(callsOf));
/** Placeholders, programs that go on, and mentions of a command without what it needs. */
const isNoCall = /…|\b[A-Z]{2,}\b|^(serve|listen|grant-role|reconcile-provider|after-restore)$|^serve /;
/** What stands in backticks and in no block. */
const inPassing = new Set(
  pages
    .flatMap(inlineCodeOf)
    .filter((code) => code.startsWith('npx paydesk '))
    .filter((code) => callsOf(code).every((call) => !inBlocks.has(call) && !isNoCall.test(call))),
);

let home: TemporaryDirectory;
let shell: GuideShell;
let collector: Collector;
const database = `guide_${process.pid}_${randomBytes(4).toString('hex')}`;
const [oldKey, newKey] = [randomBytes(32), randomBytes(32)].map((key) => key.toString('base64'));
let stopService = (): Promise<void> => Promise.resolve();

/** The addresses, names and times of the guide are examples: those of this test in their place. */
function ours(text: string): string {
  const server = /@([^/]+)\//.exec(inject('adminUrl'))?.[1] ?? '';
  return text
    .replaceAll('@db/paydesk', `@${server}/${database}`)
    .replaceAll('DATABASE paydesk', `DATABASE ${database}`)
    .replaceAll('new,old', `${newKey},${oldKey}`)
    .replaceAll('--port 8443', '--port 0')
    .replaceAll('http://collector.example:4318', collector.url)
    .replaceAll('SAMPLER_ARG=0.05', 'SAMPLER_ARG=1')
    .replaceAll('/backup/', `${home.path}/`)
    .replaceAll('2026-11-23T01:29:00Z', new Date(Date.now() - 3_600_000).toISOString());
}

beforeAll(async () => {
  home = await temporaryDirectory('guide');
  collector = await openCollector();
  // The roles of the guide have passwords; the tests' server has only its own two roles.
  const [row] = await askDatabase<{ hba_file: string }>(inject('adminUrl'), 'SHOW hba_file');
  await appendFile(row?.hba_file ?? '', 'local all owner,paydesk_app scram-sha-256\n');
  await askDatabase(inject('adminUrl'), 'SELECT pg_reload_conf()');
  shell = await openGuideShell(home.path, {
    PATH: `${debianPostgresBin()}:${dirname(process.execPath)}:${process.env.PATH}`,
    NODE_ENV: 'test',
    ADMIN_URL: inject('adminUrl'),
    DATABASE_URL: ours('postgres://paydesk_app:another-secret@db/paydesk'),
    PAYDESK_SECRET_KEY: `${oldKey},${newKey}`,
    PAYDESK_DATA_DIR: home.path,
    HOST: '127.0.0.1',
  });
  await writeFile(join(home.path, 'password.txt'), 'a long password\n');
  for (const name of ['orders.jsonl', 'notifications.jsonl']) await writeFile(join(home.path, name), '');
});
afterAll(async () => {
  await stopService();
  await shell.close();
  await collector.close();
  await askDatabase(inject('adminUrl'), `DROP DATABASE IF EXISTS ${database} WITH (FORCE)`);
  await askDatabase(inject('adminUrl'), 'DROP ROLE IF EXISTS owner, paydesk_app, paydesk_app2');
  await home.remove();
});

/** Starts a text of the guide that goes on, and waits until it serves or listens. */
async function start(text: string, env: NodeJS.ProcessEnv = {}): Promise<() => Promise<void>> {
  const words = text.includes('paydesk serve') ? 'paydesk is serving' : 'PAYDESK_NOTIFY';
  return shell.start(ours(text), words, { PORT: String(await freePort()), ...env });
}

/** The programs that may run here: others could change the machine. */
const programs = ['paydesk', 'npx', 'psql', 'export', 'set', '.'];

/** Runs a text of the guide as it stands there. One that goes on is stopped when it serves. */
async function follow(text: string): Promise<Ended> {
  for (const words of shellCommands(text)) {
    const program = words.find((word) => !/^\w+=/.test(word));
    if (program !== undefined && !programs.includes(program)) {
      throw new Error(`${program}: add to runElsewhere which test runs this, or why none can.`);
    }
  }
  if (!/paydesk (serve|listen)/.test(text)) return shell.run(ours(text));
  const stop = await start(text);
  await stop();
  return { code: 0, output: '' };
}

const ask = (text: string): Promise<Ended> =>
  shell.run(`psql "$DATABASE_URL" -v ON_ERROR_STOP=1 <<'SQL'\n${ours(text)}\nSQL`, {
    DATABASE_URL: ours(inject('adminUrl').replace(/[^/]*$/, database)),
  });

test('H-24 what is run elsewhere is in the guide and in that test', async () => {
  for (const { page, block, file, words, why } of runElsewhere) {
    expect([
      page,
      block,
      blocks.some((one) => placeOf(one.page) === page && one.text.includes(block)),
    ]).toEqual([page, block, true]);
    if (file === undefined) expect(why?.length).toBeGreaterThan(10);
    else expect(await readFile(join(root, file), 'utf8')).toContain(words);
  }
  for (const [command, { file = '', words }] of Object.entries(provedElsewhere)) {
    expect([...inBlocks].some((call) => call.startsWith(command))).toBe(true);
    expect(await readFile(join(root, file), 'utf8')).toContain(words);
  }
});

test('H-24 D-194 postgresql.md makes the database and its roles, and the service serves', async () => {
  stopService = await start(making?.text ?? '');
});

test('H-24 traces-and-metrics.md: the service sends its spans to the collector, under the name of the guide', async () => {
  const port = String(await freePort());
  const stop = await start(traced?.text ?? '', { PORT: port, OTEL_BSP_SCHEDULE_DELAY: '100' });
  const trace_id = randomBytes(16).toString('hex');
  await fetch(`http://127.0.0.1:${port}/openapi.json`, {
    headers: { traceparent: `00-${trace_id}-${'1'.repeat(16)}-01` },
  });
  const [span] = await collector.trace(trace_id, () => true);
  await stop();
  expect(span).toMatchObject({
    name: 'GET /openapi.json',
    resource: { 'service.name': 'paydesk-web', 'deployment.environment.name': 'production' },
  });
});

describe('H-24 the blocks of', () => {
  test.each(
    rest.map((block): [string, Block] => [`${block.page}: ${block.text.trim().slice(0, 50)}`, block]),
  )('%s', async (_, block) => {
    if (isSettings(block)) {
      const given = assigned(shellCommands(block.text).flat());
      expect(() => readConfig({ PAYDESK_SECRET_KEY: oldKey, ...given })).not.toThrow();
      return;
    }
    const { code, output } = await (block.language === 'sql' ? ask(block.text) : follow(block.text));
    expect([code, output]).toEqual([0, expect.not.stringContaining('ERROR')]);
  });
});

describe('H-24 the examples of commands.md:', () => {
  test.each(examples)('%s', async (text) => {
    const { code, output } = await follow(text);
    // The doctor rightly has something to say of this machine.
    if (text.includes('doctor')) expect(output).toMatch(/^ok /m);
    else expect([code, output]).toEqual([0, expect.any(String)]);
  });
});

test.each([
  ['distribute --shards 32', 'This database has no Citus'],
  ['nodes', 'This database is not distributed'],
  ['move-merchant 0190d2a4-0000-7000-8000-000000000000', 'This database is not distributed'],
])('H-24, D-336 paydesk %s refuses a database on one server', async (command, why) => {
  const { code, output } = await follow(`npx paydesk ${command}`);
  expect([code, output]).toEqual([1, expect.stringContaining(why)]);
});

describe('H-24 the queries that the guide names in passing:', () => {
  // A primary cannot be promoted: the drill failover promotes a standby.
  const queries = pages.flatMap(inlineCodeOf).filter((code) => /^SELECT (?!.*PID|pg_promote)/.test(code));
  test.each(queries)('%s', async (query) => {
    expect(await ask(`${query};`)).toMatchObject({ code: 0 });
  });
});

describe('H-24 what the guide says in passing:', () => {
  test.each([...inPassing])('%s', async (text) => {
    const { code, output } = await follow(text);
    expect([code, output]).toEqual([0, expect.any(String)]);
  });
});
