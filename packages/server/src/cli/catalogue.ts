/** All commands of `paydesk`: how each is used, and its module, which is loaded only when it runs. */
import type { CommandContext } from './shared/command.ts';
import { archiving, checking, comparing, rebuildSums } from './books/index.ts';
import { distributing } from './cluster/index.ts';
import { developing } from './developer/index.ts';
import { person } from './people/index.ts';
import type { Usage } from './shared/usage.ts';

export interface Command {
  readonly usage: Usage;
  readonly load: () => Promise<(context: CommandContext) => number | Promise<number>>;
}

const serving: readonly Command[] = [
  {
    usage: {
      name: 'start',
      about: 'run the demo platform on an embedded database (the same as npm start)',
      description: [
        'Runs everything in one process for trying it out: the embedded PostgreSQL in the data directory, the service, a card simulator, a receiver of notifications and demo data. PAYDESK_DEMO=0 leaves out simulator, receiver and demo data.',
        'The log is the file paydesk.log in the data directory. Ctrl-C, SIGTERM and SIGHUP stop it in order.',
      ],
      options: [
        {
          name: 'shop',
          value: 'FILE',
          about: 'run this program as a demo shop, with a separate database beside the embedded one',
        },
      ],
      exits: { 0: 'it was stopped by a signal', 1: 'it could not start, or its database stopped' },
      example: ['PORT=9000 paydesk start'],
    },
    load: async () => (await import('./start.ts')).startCommand,
  },
  {
    usage: {
      name: 'serve',
      about: 'run the service, for production',
      description: [
        'Runs the service without demo data and simulator. It applies missing migrations under a lock, and does not start without PAYDESK_SECRET_KEY.',
        'The log goes to standard output as JSON lines. After SIGTERM, SIGINT or SIGHUP the process finishes its work within ten seconds. With --processes, that many processes share the port and one more works in the background (none with --role web). A process that ends is started again. SIGHUP replaces all of them, one after another, without a failed request.',
      ],
      options: [
        {
          name: 'role',
          value: 'all|web|worker',
          choices: ['all', 'web', 'worker'],
          about: 'web answers requests, worker does the work in the background, all does both',
          otherwise: 'all',
        },
        { name: 'processes', value: 'auto|N', about: 'processes for requests; auto: one for each core' },
        { name: 'no-migrate', about: 'refuse to start on a schema that lacks migrations' },
      ],
      exits: { 0: 'it was stopped by a signal', 1: 'it could not start, or its embedded database stopped' },
      example: ['paydesk serve --role web --no-migrate'],
    },
    load: async () => (await import('./serve.ts')).serveCommand,
  },
  {
    usage: {
      name: 'listen',
      about: 'receive notifications and print them, for development',
      description: [
        'Runs a receiver on this machine that verifies notifications with PAYDESK_NOTIFY_SECRET and prints them. It makes its own certificate and prints the two settings with which a Paydesk on this machine delivers to it.',
      ],
      options: [
        { name: 'port', value: 'PORT', about: 'the port to listen on', otherwise: '8443' },
        { name: 'path', value: 'PATH', about: 'the path to answer', otherwise: '/paydesk-notifications' },
        { name: 'status', value: 'STATUS', about: 'the HTTP status of each answer', otherwise: '204' },
        {
          name: 'secret',
          value: 'SECRET',
          about:
            'the secret that signs, in place of PAYDESK_NOTIFY_SECRET; every user of this machine can read it while the command runs',
        },
        {
          name: 'forward-to',
          value: 'URL',
          about: 'post each verified notification there as it came, and answer as that address does',
        },
      ],
      exits: { 0: 'it was stopped by a signal', 1: 'it could not start' },
      example: [
        "PAYDESK_NOTIFY_SECRET='the secret that signs' paydesk listen --forward-to http://127.0.0.1:3000/paydesk",
      ],
    },
    load: async () => (await import('./listen.ts')).listenCommand,
  },
];

const installing: readonly Command[] = [
  {
    usage: {
      name: 'init',
      about: 'write a commented environment file with fresh keys',
      description: [
        'Writes a file with every setting, a comment for each, and fresh values of PAYDESK_SECRET_KEY and PAYDESK_ADMIN_KEY. Only its owner can read the file. An existing file is not changed. It needs neither database nor settings.',
      ],
      options: [{ name: 'out', value: 'FILE', about: 'the file to write', otherwise: 'paydesk.env' }],
      exits: { 0: 'the file was written', 1: 'the file exists already or cannot be written' },
      example: ['paydesk init --out paydesk.env', 'set -a; . ./paydesk.env; set +a; paydesk doctor'],
    },
    load: async () => (await import('./init.ts')).initCommand,
  },
  {
    usage: {
      name: 'doctor',
      about: 'look at everything that the service needs, and say what is wrong',
      description: [
        'Looks at settings, keys, disk, open files, the database (version, extensions, connections, clock, schema, rights), the webhook secrets of card channels, Redis, the mail server, the card provider, and the public address with the headers of the proxy. It prints a line for each: ok, warn or fail. It changes nothing and prints no secret. It also works if the database is unreachable or not migrated.',
      ],
      exits: { 0: 'nothing fails; there may be warnings', 1: 'at least one line begins with fail' },
      example: ['paydesk doctor'],
    },
    load: async () => (await import('./doctor/doctor.ts')).doctorCommand,
  },
  {
    usage: {
      name: 'migrate',
      about: 'bring the database schema up to date',
      description: [
        'Applies the missing migrations under a lock, while the service runs. Run it with the DATABASE_URL of the owner of the tables. It changes nothing if nothing is missing, and can be run again if it was interrupted (docs/operating/upgrades.md).',
      ],
      options: [
        {
          name: 'dry-run',
          about: 'list the missing migrations and the releases that may serve after each; change nothing',
        },
      ],
      exits: {
        0: 'the schema is up to date, or the missing migrations are listed',
        1: 'a migration failed, or this role may not change the schema',
      },
      example: ["DATABASE_URL='postgres://owner:secret@db/paydesk' paydesk migrate"],
    },
    load: async () => (await import('./migrate.ts')).migrateCommand,
  },
  {
    usage: {
      name: 'grant-role',
      about: 'let a database role that owns nothing run the service',
      description: [
        'Gives a database role the rights that the service needs, and creates the role if there is none. Run it with the DATABASE_URL of the owner of the tables.',
      ],
      argument: { name: 'NAME', about: 'the name of the role' },
      exits: { 0: 'the role may run the service', 1: 'the rights could not be given' },
      example: ["DATABASE_URL='postgres://owner:secret@db/paydesk' paydesk grant-role paydesk_app"],
    },
    load: async () => (await import('./grant-role.ts')).grantRoleCommand,
  },
  {
    usage: {
      name: 'create-admin',
      about: 'create an administrator',
      description: [
        'Creates an administrator, who can sign in at once. Reads the password from standard input. If standard input is a terminal or empty, it makes up a password and prints it.',
      ],
      options: [
        { name: 'email', value: 'ADDRESS', about: 'the address to sign in with', required: true },
        { name: 'name', value: 'NAME', about: "the person's name", otherwise: 'Administrator' },
      ],
      exits: {
        0: 'the administrator was created',
        1: 'the name or the password was refused, or the address has an account',
      },
      example: ['paydesk create-admin --email ada@example.com --name "Ada Smith" < password.txt'],
    },
    load: async () => (await import('./create-admin.ts')).createAdminCommand,
  },
  {
    usage: {
      name: 'import-orders',
      about: 'import orders of an older system (docs/import.md)',
      description: [
        'Reads a file of orders, one JSON object per line, checks each line and stores it. Lines that were imported before are counted and skipped, so that an interrupted import can be run again.',
      ],
      argument: { name: 'FILE.jsonl', about: 'the file of orders' },
      options: [{ name: 'dry-run', about: 'read and check each line, store nothing' }],
      exits: { 0: 'every line was accepted', 1: 'a line was refused; standard error says which and why' },
      example: ['paydesk import-orders orders.jsonl --dry-run'],
    },
    load: async () => (await import('./import-orders.ts')).importOrdersCommand,
  },
];

const keys: readonly Command[] = [
  {
    usage: {
      name: 'keys',
      about: 'count what each secret key still seals or derives',
      description: [
        'Counts by table and column which values need which key of PAYDESK_SECRET_KEY, and says which key can be removed. Prints ids of keys, never a key.',
      ],
      exits: { 0: 'all keys are there', 1: 'values need a key that is not in PAYDESK_SECRET_KEY' },
      example: ['paydesk keys'],
    },
    load: async () => (await import('./keys.ts')).keysCommand,
  },
  {
    usage: {
      name: 'reseal',
      about: 'seal everything again with the first secret key',
      description: [
        'Seals every stored secret again under the first key of PAYDESK_SECRET_KEY while the service runs, so that older keys can be removed. A run that was interrupted can be started again.',
      ],
      exits: { 0: 'no older key is needed', 1: 'an older key is still needed, or a value did not open' },
      example: ['PAYDESK_SECRET_KEY=new,old paydesk reseal'],
    },
    load: async () => (await import('./reseal.ts')).resealCommand,
  },
];

const restoring: readonly Command[] = [
  {
    usage: {
      name: 'after-restore',
      about: 'put the books in order after the database was restored (docs/operating/restore.md)',
      description: [
        'Holds all traffic: processes answer 503, are not ready, and deliver nothing. Then compares each enabled card channel with its provider since a time, settles or adopts the payments that the books have lost, closes the sessions of lost orders, marks the idempotency keys of lost orders that were paid, and writes a letter for each merchant. At its end traffic flows again. It can be run again.',
        'If a provider cannot be read, traffic stays held.',
      ],
      options: [
        {
          name: 'since',
          value: 'TIME',
          about: 'the time to which the database was restored, or a little earlier',
        },
        { name: 'until', value: 'TIME', about: 'the end of the gap', otherwise: 'now' },
        {
          name: 'archive',
          value: 'FILE',
          about: 'the notifications that were sent: the file or address of PAYDESK_NOTIFICATION_ARCHIVE',
        },
        { name: 'letters', value: 'DIR', about: 'where to write the letters', otherwise: 'letters' },
        { name: 'keep', about: 'keep holding traffic at the end' },
        { name: 'hold', about: 'only hold traffic' },
        { name: 'release', about: 'only let traffic flow again' },
      ],
      exits: {
        0: 'the books are in order, or what is left is listed',
        1: 'a provider could not be read; traffic stays held',
      },
      example: ['paydesk after-restore --since 2h --archive notifications.jsonl'],
    },
    load: async () => (await import('./after-restore.ts')).afterRestoreCommand,
  },
];

const knowing: readonly Command[] = [
  {
    usage: {
      name: 'version',
      about: 'print the version of Paydesk (the same as --version)',
      description: ['Prints the version of this program. It needs neither database nor settings.'],
      exits: { 0: 'always', 1: 'never' },
      example: ['paydesk version'],
    },
    load: async () => (await import('./version.ts')).versionCommand,
  },
];

/** In the order of `paydesk --help`. */
export const commands: readonly Command[] = [
  ...serving,
  ...developing,
  ...installing,
  ...distributing,
  ...keys,
  ...checking,
  rebuildSums,
  archiving,
  person,
  comparing,
  ...restoring,
  ...knowing,
];
