import type { ConsoleRole } from '@paydesk/contract';

const everyone: readonly ConsoleRole[] = ['owner', 'finance', 'developer', 'read-only'];
const ownersOnly: readonly ConsoleRole[] = ['owner'];
const money: readonly ConsoleRole[] = ['owner', 'finance'];
const technology: readonly ConsoleRole[] = ['owner', 'developer'];

/**
 * Who may make which write, by its method and its path below the merchant. Reading is for everybody whom the merchant
 * has let in. A write that is not listed is for owners.
 */
export const writes: Readonly<Record<string, readonly ConsoleRole[]>> = {
  'POST /people': ownersOnly,
  'PATCH /people/:user_id': ownersOnly,
  'DELETE /people/:user_id': ownersOnly,
  'PATCH /settings': ownersOnly,
  'PUT /notification-settings': technology,
  'POST /notification-settings/rotation': technology,
  'POST /notifications/:event_id/retry': technology,
  'POST /notifications/retry-failed': technology,
  'POST /clients': technology,
  'POST /clients/:client_id/scope-applications': technology,
  'POST /clients/:client_id/secret-rotation': technology,
  'POST /products': technology,
  'PATCH /products/:gd_no': technology,
  'POST /products/:gd_no/codes': money,
  'POST /products/:gd_no/codes/withdrawal': money,
  'POST /catalog-orders/:order_no/fulfilment': money,
  // Compares, and changes nothing.
  'POST /reconciliation': everyone,
};

/** @param route as it was registered below the merchant, such as `/people/:user_id` */
export function mayWrite(role: ConsoleRole, method: string, route: string): boolean {
  const call = `${method} ${route}`;
  return (Object.hasOwn(writes, call) ? (writes[call] ?? ownersOnly) : ownersOnly).includes(role);
}
