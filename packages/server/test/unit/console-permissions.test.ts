import { platformRoles } from '@paydesk/contract';
import { expect, test } from 'vitest';
import { mayCall, permissions } from '../../src/admin/request/permissions.ts';
import { type Doing, mayDo } from '../../../console/src/platform/permissions.ts';

/** One call of each group of buttons. */
const calls: readonly [Doing, string][] = [
  ['administer', 'POST /keys'],
  ['administer', 'POST /jobs/:name/run'],
  ['administer', 'PATCH /users/:user_id'],
  ['administer', 'PATCH /merchants/:merchant_no'],
  ['administer', 'POST /scope-applications/:application_id/decision'],
  ['money', 'POST /merchants/:merchant_no/ptk-top-ups'],
  ['money', 'POST /users/:user_id/ptk-top-ups'],
  ['money', 'POST /channels/:payment_no/payouts'],
  ['money', 'POST /withdrawals/:withdrawal_id/decision'],
  ['money', 'POST /complaints/:complaint_id/decision'],
  ['money', 'POST /collection-orders/:order_no/refunds'],
  ['money', 'POST /approvals/:approval_id/approve'],
  ['cases', 'POST /cases/:case_id/resolution'],
  ['cases', 'POST /approvals/:approval_id/reject'],
  ['replay', 'POST /merchants/:merchant_no/notifications/:event_id/retry'],
  ['replay', 'POST /channels/:payment_no/webhooks/:provider_event_id/retry'],
  ...Object.keys(permissions)
    .filter((call) => call.endsWith('.csv'))
    .map((call): [Doing, string] => ['export', call]),
];

test.each(calls)('the console shows buttons of %s to the roles that may call %s', (doing, call) => {
  const [method = '', path = ''] = call.split(' ');
  for (const role of platformRoles)
    expect([role, mayDo(role, doing)]).toEqual([role, mayCall(role, method, path)]);
  expect([mayDo('user', doing), mayDo(undefined, doing)]).toEqual([false, false]);
});
