import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { defaultServerConditions } from 'vite';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { ProjectTimes } from './scripts/lib/project-times.js';

/**
 * Workspace packages resolve to their TypeScript sources, so that no test waits for a build. Node.js itself never takes the
 * files that packages offer to bundlers as `module`, and cannot run those of each.
 */
const conditions = ['paydesk-source', ...defaultServerConditions.filter((name) => name !== 'module')];

/**
 * How long one test may wait, however busy the machine is. It only ends a wait for what never comes: a test asserts what
 * happens, and never how long that takes on a shared machine.
 */
const patience = { testTimeout: 300_000, hookTimeout: 600_000 };

const servers = 'packages/server/test/support/run/global-setup.ts';

const scenarios = 'packages/server/test/scenarios';

/** Every scenario on every server and layout; the usual run gives each one, and stays under a quarter of an hour. */
const everyServer = process.env.PAYDESK_EVERY_SERVER !== undefined;

/** The scenarios that move orders and money. */
const onPartitions = [
  'admin-lists',
  'admin-overview',
  'admin-top',
  'admin-w',
  'archive',
  'catalog',
  'checkout',
  'collection',
  'console',
  'fee-funding',
  'holds',
  'import',
  'merchant-channels',
  'notification',
  'order',
  'owed-w',
  'sql-rules',
  'retention',
  'seals',
  'sweep',
  'top-ups',
  'verify',
  'refunds',
  'complaints',
  'disputes',
  'cases',
  'mismatches',
  'webhook-edges',
].map((name) => `${scenarios}/**/${name}*.test.ts`);

/** The scenarios that tell nothing about a cluster. */
const notOnClusters = [
  // No sums are kept there (D-397, D-540, D-572, D-1080).
  ...['account-sums', 'owed-sums', 'order-sums', 'order-platform-sums', 'order-progress-sums'],
  // What the driver, the migrations and one server do, and how statements are planned; some start servers of their own.
  ...['base-*', 'books-walk', 'commit-at-once', 'crowd-at-a-lock', 'failover', 'ledger-posting'],
  ...['partitioned-schema', 'previous-release', 'separate-writes', 'several-servers', 'silent-database'],
  ...['statements', 'table-lives'],
  // It makes a table of its own, for statements of every kind.
  'due-order',
  // The servers and databases that the test run itself makes.
  'harness',
  // The guides of one server: they make the database and its roles there, or servers of their own.
  ...['guide-commands', 'failover-guide', 'restore-guide'],
].map((name) => `${scenarios}/**/${name}.test.ts`);

/**
 * The files of a project share a worker process, so that the sources are loaded once and not for every file. Each file
 * has to leave the process as it was; the setup file checks that.
 */
const shared = { isolate: false, setupFiles: ['packages/server/test/support/run/shared-worker.ts'] };

/** For projects that run whole services: they hash a password for each person that a test invents. */
const services = {
  isolate: false,
  setupFiles: [...shared.setupFiles, 'packages/server/test/support/run/cheap-passwords.ts'],
  globalSetup: [servers],
};

/** Each with a name, the files it runs, and what makes it wait longer or start servers. */
const projects = [
  {
    name: 'unit',
    include: [
      'packages/*/src/**/*.test.{ts,tsx}',
      'packages/{contract,sdk,cardsim,checkout}/test/**/*.test.{ts,tsx}',
      'packages/server/test/unit/**/*.test.ts',
      'packages/server/test/crash/check-*.test.ts',
      'packages/server/test/chaos/**/*.test.ts',
      'packages/server/test/drills/**/*.test.ts',
      'bench/src/**/*.test.ts',
      'scripts/**/*.test.js',
    ],
    ...shared,
    ...patience,
  },
  {
    name: 'embedded',
    include: ['packages/server/test/embedded/**/*.test.ts'],
    ...patience,
  },
  {
    // Kills the built service again and again; sets its own time.
    name: 'crash',
    include: ['packages/server/test/crash/crash.test.ts'],
  },
  {
    // With the simulation and what is seen in a browser: projects of their own would load the sources again in each of their
    // workers.
    name: 'scenarios',
    include: ['scenarios', 'simulation', 'browser'].map((one) => `packages/server/test/${one}/**/*.test.ts`),
    // Each scenario runs once, unless asked.
    exclude: everyServer ? [] : onPartitions,
    ...services,
    ...patience,
    // Each wait of a page ends by itself, and says what it waited for.
    testTimeout: 480_000,
  },
  ...(!everyServer
    ? []
    : [
        {
          // What moves no money, on the oldest PostgreSQL as well: a run of its own, as the whole would take too long.
          name: 'scenarios-pg15',
          include: [`${scenarios}/**/*.test.ts`],
          exclude: onPartitions,
          ...services,
          ...patience,
        },
      ]),
  {
    // What moves orders and money, on the oldest PostgreSQL that production may run, or what Debian has from there on,
    // and on tables partitioned by merchant: every statement must do without a key that
    // lacks the merchant, as it would have to where the tables are distributed.
    name: 'scenarios-partitioned',
    include: onPartitions,
    ...services,
    // Explains every statement that the service has run, when a file has ended.
    setupFiles: [...services.setupFiles, 'packages/server/test/support/run/explain-statements.ts'],
    ...patience,
  },
  ...(process.env.CITUS_URL === undefined
    ? []
    : [
        {
          // `npm run test:citus`: the scenarios, on a cluster.
          name: 'scenarios-citus',
          include: [`${scenarios}/**/*.test.ts`, 'packages/server/test/citus/**/*.test.ts'],
          exclude: notOnClusters,
          ...services,
          ...patience,
        },
      ]),
  ...(process.env.PAYDESK_LONG_LIST === undefined
    ? []
    : [
        {
          // `PAYDESK_LONG_LIST=100000 npx vitest run --project long-list`: how fast the consoles open a long list.
          name: 'long-list',
          include: ['packages/server/test/long-list/**/*.test.ts'],
          globalSetup: [servers],
        },
      ]),
  ...(process.env.PAYDESK_SHOP === undefined
    ? []
    : [
        {
          // `npm run test:shops -- vendure`: an item is sold in a real shop.
          name: 'shops',
          include: [`packages/${process.env.PAYDESK_SHOP}-payment/test/*.test.ts`],
          globalSetup: [servers],
          testTimeout: 600_000,
          hookTimeout: 600_000,
        },
      ]),
  ...(process.env.PAYDESK_PICTURES === undefined
    ? []
    : [
        {
          // `npm run pictures`: what the documentation shows of the checkout.
          name: 'pictures',
          include: ['packages/server/test/pictures/**/*.test.ts'],
          globalSetup: [servers],
          testTimeout: 60_000,
          hookTimeout: 90_000,
        },
      ]),
];

/**
 * The simulation keeps the processors busy, so it begins, beside the crashes. Two long files that mostly wait run beside the two
 * longest of the browsers: three such files at once left half of the processors idle. A worker ends where the next file is of another
 * project, and a new one loads the sources again: so the scenarios follow in one go.
 */
const turns: readonly ((file: TestSpecification) => boolean)[] = [
  ({ moduleId }) => moduleId.includes('/test/simulation/'),
  ({ project }) => project.name === 'crash',
  ({ moduleId }) => /\/browser\/console-(screens|trouble)\./.test(moduleId),
  ({ moduleId }) => /\/(idle-platform|after-restore)\./.test(moduleId),
  ({ moduleId }) => moduleId.includes('/test/browser/'),
  ({ project }) => project.name.startsWith('scenarios'),
];

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const inTurn = turns.map((isOne) => sorted.filter(isOne));
    return [...new Set([...inTurn.flat(), ...sorted])];
  }
}

// Vitest itself would only say that its own code failed.
if (!existsSync(join(import.meta.dirname, 'packages/contract/dist'))) {
  throw new Error(
    'The packages are not built. Run "npm run build" first; "npm test" and "npm run t" do it themselves.',
  );
}

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    pool: 'forks',
    // Other workers use the cores beside each one. Threads of its own for garbage and for compiling cost a tenth more CPU time.
    execArgv: ['--single-threaded'],
    // One more than the two cores of the usual machine: a quarter of the time a worker waits for PostgreSQL, for another
    // process, or for a time to pass. With four a whole run took as long (10 min 49 s and 10 min 53 s, against 10 min 50 s).
    maxWorkers: Number(process.env.VITEST_MAX_WORKERS ?? 3),
    // The projects run the same sources. They are transformed once for all of them, and again only where they change.
    // What `exports` of a package.json name is not looked up again: delete `.cache` after a change there.
    experimental: { fsModuleCache: true, fsModuleCachePath: join(import.meta.dirname, '.cache', 'vitest') },
    passWithNoTests: true,
    restoreMocks: true,
    // The usual second is too short beside other work.
    expect: { poll: { timeout: 60_000, interval: 20 } },
    sequence: { sequencer: LongestFirst },
    reporters: ['default', new ProjectTimes()],
    projects: projects.map((test) => ({ extends: true as const, test: { environment: 'node', ...test } })),
  },
});
