import { consoleRoles, type ConsoleRole, type teamDuties } from '@paydesk/contract';
import type { FastifyRequest } from 'fastify';

const everyone: readonly ConsoleRole[] = ['owner', 'finance', 'developer', 'read-only'];
const ownersOnly: readonly ConsoleRole[] = ['owner'];
const money: readonly ConsoleRole[] = ['owner', 'finance'];
const writers: readonly ConsoleRole[] = ['owner', 'finance', 'developer'];
const technology: readonly ConsoleRole[] = ['owner', 'developer'];

/**
 * The roles that may make each write, by its method and its path below the merchant. All members may read. A write that
 * is not listed is for owners only.
 */
export const writes: Readonly<Record<string, readonly ConsoleRole[]>> = {
  'POST /people': ownersOnly,
  'PATCH /people/:user_id': ownersOnly,
  'DELETE /people/:user_id': ownersOnly,
  'DELETE /people/invitations/:invitation_id': ownersOnly,
  'PATCH /settings': ownersOnly,
  'PUT /notification-settings': technology,
  'POST /notification-settings/rotation': technology,
  'POST /test-event': technology,
  'POST /notifications/:event_id/retry': technology,
  'POST /notifications/retry-failed': technology,
  'POST /collection-orders': money,
  'POST /collection-orders/:order_no/notes': writers,
  'DELETE /collection-orders/:order_no/notes/:note_id': writers,
  'POST /payment-links': money,
  'DELETE /payment-links/:link': money,
  'POST /statement-exports': money,
  'PUT /statement-exports/:export_id': money,
  'DELETE /statement-exports/:export_id': money,
  'POST /statement-exports/:export_id/sending': money,
  'POST /clients': technology,
  'PATCH /clients/:client_id': ownersOnly,
  'POST /clients/:client_id/scope-applications': technology,
  'POST /clients/:client_id/secret-rotation': technology,
  'PUT /clients/:client_id/keys': technology,
  'POST /products': technology,
  'PATCH /products/:gd_no': technology,
  'POST /products/:gd_no/codes': money,
  'POST /products/:gd_no/codes/withdrawal': money,
  'POST /catalog-orders/:order_no/fulfilment': money,
  // It only compares; it changes nothing.
  'POST /reconciliation': everyone,
};

type Duty = (typeof teamDuties)[number];

/** The call whose permission each duty needs; null for what all members may do. */
const callOf: Readonly<Record<Duty, string | null>> = {
  people: 'POST /people',
  settings: 'PATCH /settings',
  orders: 'POST /collection-orders',
  links: 'POST /payment-links',
  exports: 'POST /statement-exports',
  stock: 'POST /products/:gd_no/codes',
  clients: 'POST /clients',
  webhooks: 'PUT /notification-settings',
  products: 'POST /products',
  notes: 'POST /collection-orders/:order_no/notes',
  read: null,
};

/** What each role may do, for the people who give roles. */
export const duties = (Object.entries(callOf) as [Duty, string | null][]).map(([duty, call]) => ({
  duty,
  roles: call === null ? everyone : consoleRoles.filter((role) => writes[call]?.includes(role)),
}));

/** Writes that need a recent proof of presence: members, secrets, keys, and where figures are sent. */
const sensitive: ReadonlySet<string> = new Set([
  'POST /people',
  'PATCH /people/:user_id',
  'DELETE /people/:user_id',
  'DELETE /people/invitations/:invitation_id',
  'PUT /notification-settings',
  'POST /notification-settings/rotation',
  'POST /statement-exports',
  'PUT /statement-exports/:export_id',
  'DELETE /statement-exports/:export_id',
  'POST /clients',
  'PATCH /clients/:client_id',
  'PUT /clients/:client_id/keys',
  'POST /clients/:client_id/secret-rotation',
]);

/** Whether a write needs a proof of presence in the last ten minutes (D-202). */
export const needsPresence = (method: string, route: string): boolean => sensitive.has(`${method} ${route}`);

/** The path of all calls about one merchant. */
export const merchantPath = '/console/v1/merchants/:merchant_no';

/** The path of a call below the merchant, as it was registered. */
export const routeOf = ({ routeOptions }: Pick<FastifyRequest, 'routeOptions'>): string =>
  routeOptions.url?.slice(merchantPath.length) ?? '';

/** @param route the path below the merchant as it was registered, such as `/people/:user_id` */
export function mayWrite(role: ConsoleRole, method: string, route: string): boolean {
  const call = `${method} ${route}`;
  return (Object.hasOwn(writes, call) ? (writes[call] ?? ownersOnly) : ownersOnly).includes(role);
}
