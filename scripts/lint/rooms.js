import { existsSync } from 'node:fs';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';

/**
 * The house: the server's modules from the ground up, each with its rooms. What stands in one line shares a floor and
 * does not know its neighbours; a floor may import only from the floors below it. `.` is the module's own folder.
 */
export const floors = [
  {
    base: [
      'context tracing logging',
      '.',
      'time input pdf retention',
      'pg/driver',
      'pg/schema',
      'pg/distribution',
      'pg',
      'caches clocks keys',
      'audit settings traffic',
    ],
  },
  { environment: ['.'] },
  { 'database-url': ['.'] },
  { config: ['.'] },
  { embedded: ['.'] },
  { http: ['encoding', 'docs lists request', '.', 'health'] },
  { ledger: ['books', 'wallets explanation', 'verification', 'sums'] },
  { currencies: ['.'], seals: ['.', 'archive'] },
  {
    merchants: ['.'],
    identity: [
      'one-time-tokens people',
      'mail factors',
      'sessions',
      'sign-in',
      'password-reset sign-up',
      'account removal saved-views',
      '.',
    ],
    requests: ['.'],
  },
  { oauth: ['clients', 'scope-applications tokens consents', 'provider', 'endpoints', '.'] },
  { channels: ['.', 'card'], notices: ['.'] },
  {
    payments: [
      'quotes',
      'engine',
      'cases',
      'attempts backlog',
      'deadlines',
      'holds',
      'merchant-fees',
      'settling',
      'card',
      'starting losses unmatched',
      'complaints',
      'refunds disputes',
      'case-money',
      'following decisions',
      'facts',
      'webhooks',
      'reconciliation',
    ],
  },
  { verification: ['.'] },
  {
    notifications: [
      'addresses',
      'transport events settings',
      'receivers',
      'delivery-attempts delivery-records',
      'delivery',
      'backlog',
    ],
  },
  {
    collection: [
      'orders',
      'creating openings reading watching figures importing notes history archiving',
      'links top-ups',
      '.',
    ],
    catalog: ['search', 'products', 'orders', 'fulfilment', '.'],
  },
  { checkout: ['link logos', 'request', 'state', 'pages account mails', 'api', '.'] },
  {
    admin: [
      'keys',
      'request',
      'approvals',
      'currencies ledger wallets channels clients cases losses settings',
      'merchants users orders',
      'overview operation',
      '.',
    ],
    console: [
      'request',
      'wallet',
      'exports',
      'home orders links catalog notifications developers settings pages',
      '.',
    ],
  },
  { jobs: ['.'], restore: ['.'] },
  { compose: ['.', 'processes'] },
  { demo: ['.'] },
  { cli: ['shared', 'books cluster developer doctor people', '.'] },
  { main: ['.'] },
];

/** The floor of every room, as `[module's floor, room's floor]`, by its path below `src`. */
const floorOf = new Map(
  floors.flatMap((modules, floor) =>
    Object.entries(modules).flatMap(([module, rows]) =>
      rows.flatMap((row, level) =>
        row.split(' ').map((room) => [room === '.' ? module : `${module}/${room}`, [floor, level]]),
      ),
    ),
  ),
);

/**
 * The room that a file stands in, by its path below `src`: a file of `src` itself is a room of its own.
 *
 * @param {string} file
 */
export const roomOf = (file) => (file.includes('/') ? dirname(file) : basename(file, '.ts'));

const source = `${sep}packages${sep}server${sep}src${sep}`;

/**
 * Why a file of the server may not import another, or null where it may.
 *
 * @param {string} from both by their paths below `src`
 * @param {string} to
 * @param {(room: string) => boolean} hasFace whether a room has an `index.ts`
 * @returns {string | null}
 */
export function refusal(from, to, hasFace) {
  const [here, there] = [roomOf(from), roomOf(to)];
  if (here === there) return null;
  const [a, b] = [floorOf.get(here), floorOf.get(there)];
  if (a === undefined || b === undefined) {
    return `${a === undefined ? here : there} is on no floor: add it to scripts/lint/rooms.js`;
  }
  const [moduleHere, moduleThere] = [here, there].map((room) => room.split('/')[0]);
  const isBelow = moduleHere === moduleThere ? b[1] < a[1] : b[0] < a[0];
  if (!isBelow) return `${here} may not know ${there}: it is not on a floor below (docs/ARCHITECTURE.md)`;
  const owner = dirname(there);
  if (owner.includes('/') && here !== owner && !here.startsWith(`${owner}/`)) {
    return `${there} is private to ${owner}`;
  }
  const isRoutes = /routes\.ts$/;
  if (moduleThere === 'http') {
    const mayKnow = /(routes|cookies)\.ts$/.test(from) || ['compose', 'http'].includes(moduleHere);
    return mayKnow ? null : 'only routes, cookies and compose/ know http/';
  }
  if (isRoutes.test(to)) {
    const mayKnow = isRoutes.test(from) || moduleHere === 'compose';
    return mayKnow ? null : 'routes are known to compose/ and to the routes of their module';
  }
  if (to.endsWith('.sql.ts')) return `SQL is private to its room: export it from ${there}/index.ts`;
  if (hasFace(there) && basename(to) !== 'index.ts') return `import from ${there}/index.ts`;
  return null;
}

/** The rule `paydesk/rooms`: who may import whom, what a room shows, and that only base/pg knows the driver. */
export const rooms = {
  meta: { type: 'problem', messages: { refused: '{{why}}.' }, schema: [] },
  create(context) {
    const at = context.filename.indexOf(source);
    if (at === -1) return {};
    const src = context.filename.slice(0, at + source.length);
    const file = relative(src, context.filename).split(sep).join('/');
    const hasFace = (/** @type {string} */ room) => existsSync(join(src, room, 'index.ts'));
    const check = (node) => {
      const specifier = node.source?.value;
      if (typeof specifier !== 'string') return;
      const report = (why) => context.report({ node, messageId: 'refused', data: { why } });
      if (specifier === 'pg' && !file.startsWith('base/pg/')) report('only base/pg knows the driver');
      if (!specifier.startsWith('.')) return;
      const target = relative(src, resolve(dirname(context.filename), specifier))
        .split(sep)
        .join('/');
      if (target.startsWith('..')) return;
      const why = refusal(file, target, hasFace);
      if (why !== null) report(why);
    };
    return {
      ImportDeclaration: check,
      ImportExpression: check,
      ExportNamedDeclaration: check,
      ExportAllDeclaration: check,
    };
  },
};
