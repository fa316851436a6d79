/** The role that each call of the administration API needs. One hook in `admin/routes.ts` applies this table. */
import type { PlatformRole } from '@paydesk/contract';

const everyone: readonly PlatformRole[] = ['admin', 'finance', 'support', 'auditor'];
const adminsOnly: readonly PlatformRole[] = ['admin'];
export const money: readonly PlatformRole[] = ['admin', 'finance'];
export const cases: readonly PlatformRole[] = ['admin', 'finance', 'support'];
const replay: readonly PlatformRole[] = ['admin', 'support'];
const exports: readonly PlatformRole[] = ['admin', 'finance', 'auditor'];

/**
 * The roles that may make each write and each export, by its method and its path below `/admin/v1`. Everyone reads. A
 * write or an export that is not listed is for administrators only. They may make each: refunds,
 * complaints, withdrawals, guarantees and credit among them.
 */
export const permissions: Readonly<Record<string, readonly PlatformRole[]>> = {
  'PUT /currencies/:code': adminsOnly,
  'PUT /rates/:code': adminsOnly,
  'POST /channels': adminsOnly,
  'PATCH /channels/:payment_no': adminsOnly,
  'PUT /channels/:payment_no/debug-grants': adminsOnly,
  'POST /channels/:payment_no/webhook-secret-rotation': adminsOnly,
  'POST /channels/:payment_no/payouts': money,
  'POST /channels/:payment_no/webhooks/:provider_event_id/retry': replay,
  'POST /users': adminsOnly,
  'PATCH /users/:user_id': adminsOnly,
  'DELETE /users/:user_id/sessions': adminsOnly,
  'DELETE /users/:user_id/factors': adminsOnly,
  'POST /users/:user_id/ptk-top-ups': money,
  'GET /merchants.csv': exports,
  'GET /merchant-figures.csv': exports,
  'POST /merchants': adminsOnly,
  'PATCH /merchants/:merchant_no': adminsOnly,
  'POST /merchants/:merchant_no/products': adminsOnly,
  'PATCH /merchants/:merchant_no/products/:gd_no': adminsOnly,
  'POST /merchants/:merchant_no/ptk-top-ups': money,
  'POST /merchants/:merchant_no/guarantee-deposits': money,
  'POST /merchants/:merchant_no/guarantee-returns': money,
  'POST /merchants/:merchant_no/credit-repayments': money,
  'POST /merchants/:merchant_no/recovery-repayments': money,
  'POST /merchants/:merchant_no/recovery-write-offs': money,
  'POST /merchants/:merchant_no/notifications/:event_id/retry': replay,
  'POST /merchants/:merchant_no/notifications/retry-failed': replay,
  'POST /clients': adminsOnly,
  'PATCH /clients/:client_id': adminsOnly,
  'PUT /clients/:client_id/scopes': adminsOnly,
  'PUT /clients/:client_id/keys': adminsOnly,
  'POST /scope-applications/:application_id/decision': adminsOnly,
  'GET /withdrawals.csv': exports,
  'POST /withdrawals': money,
  'POST /withdrawals/:withdrawal_id/decision': money,
  'GET /collection-orders.csv': exports,
  'POST /collection-orders/:order_no/refunds': money,
  'POST /collection-orders/:order_no/complaints': money,
  'POST /catalog-orders/:order_no/refunds': money,
  'POST /catalog-orders/:order_no/complaints': money,
  'GET /refunds.csv': exports,
  'GET /complaints.csv': exports,
  'POST /complaints/:complaint_id/decision': money,
  'GET /disputes.csv': exports,
  'POST /disputes/:dispute_id/files': cases,
  'POST /disputes/:dispute_id/evidence': cases,
  'GET /cases.csv': exports,
  'POST /cases/:case_id/resolution': cases,
  'GET /approvals.csv': exports,
  'POST /approvals/:approval_id/approve': money,
  // Who may only decide cases takes back what they asked for (D-1367).
  'POST /approvals/:approval_id/reject': cases,
  'PUT /settings': adminsOnly,
  'POST /keys': adminsOnly,
  'DELETE /keys/:key_id': adminsOnly,
  'POST /jobs/:name/run': adminsOnly,
  'GET /audit-log.csv': exports,
  'PUT /test-clock': adminsOnly,
};

/**
 * Writes that need a recent proof of presence beside money decisions: secrets, roles, what a client may do, members, keys,
 * fees, rates.
 */
const sensitive: ReadonlySet<string> = new Set([
  'PUT /rates/:code',
  'POST /channels',
  'PATCH /channels/:payment_no',
  'POST /channels/:payment_no/webhook-secret-rotation',
  'POST /users',
  'PATCH /users/:user_id',
  'DELETE /users/:user_id/sessions',
  'DELETE /users/:user_id/factors',
  'PATCH /merchants/:merchant_no',
  'POST /clients',
  'PATCH /clients/:client_id',
  'PUT /clients/:client_id/scopes',
  'PUT /clients/:client_id/keys',
  'POST /scope-applications/:application_id/decision',
  'PUT /channels/:payment_no/debug-grants',
  'PUT /settings',
  'POST /keys',
  'DELETE /keys/:key_id',
]);

/** Whether a write by a session needs a proof of presence in the last ten minutes (D-202). */
export function needsPresence(method: string, route: string): boolean {
  const call = `${method} ${route}`;
  const roles = Object.hasOwn(permissions, call) ? permissions[call] : undefined;
  return sensitive.has(call) || roles === money || roles === cases;
}

/** @param route the path below `/admin/v1` as it was registered, such as `/users/:user_id` */
export function mayCall(role: PlatformRole, method: string, route: string): boolean {
  const call = `${method} ${route}`;
  const isRead = ['GET', 'HEAD'].includes(method) && !route.endsWith('.csv');
  const usual = isRead ? everyone : adminsOnly;
  return (Object.hasOwn(permissions, call) ? (permissions[call] ?? usual) : usual).includes(role);
}
