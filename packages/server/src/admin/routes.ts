import type { FastifyInstance } from 'fastify';
import { AppError } from '../base/errors.ts';
import { admitBy, isWrite } from '../http/admit-twice.ts';
import { requireSameOrigin } from '../http/same-origin.ts';
import { requirePresence } from '../identity/sessions/index.ts';
import { authenticate } from './request/authenticate.ts';
import { approvalRoutes } from './approvals/approval-routes.ts';
import type { GuardedWrite } from './approvals/index.ts';
import { caseRoutes } from './cases/case-routes.ts';
import { caseWrites } from './cases/case-write.ts';
import { channelRoutes } from './channels/channel-routes.ts';
import { clientRoutes } from './clients/client-routes.ts';
import { clockRoutes } from './operation/test-clock-routes.ts';
import { currencyRoutes } from './currencies/currency-routes.ts';
import { deadLetterRoutes } from './operation/dead-letter-routes.ts';
import type { AdminDeps } from './request/deps.ts';
import { mayCall, needsPresence } from './request/permissions.ts';
import { ledgerRoutes } from './ledger/ledger-routes.ts';
import { verificationRoutes } from './ledger/verification-routes.ts';
import { complaintRoutes } from './losses/complaint-routes.ts';
import { complaintWrite } from './losses/complaint-write.ts';
import { disputeRoutes } from './losses/dispute-routes.ts';
import { refundRoutes } from './losses/refund-routes.ts';
import { refundWrite } from './losses/refund-write.ts';
import { merchantFigureRoutes } from './merchants/merchant-figure-routes.ts';
import { merchantRoutes } from './merchants/merchant-routes.ts';
import { notificationBacklogRoutes } from './operation/notification-backlog-routes.ts';
import { reconciliationRoutes } from './operation/reconciliation-routes.ts';
import { auditLogRoutes } from './operation/audit-log-routes.ts';
import { jobRoutes } from './operation/job-routes.ts';
import { orderDetailRoutes } from './orders/order-detail-routes.ts';
import { orderListRoutes } from './orders/order-list-routes.ts';
import { payoutRoutes } from './wallets/payout-routes.ts';
import { scopeApplicationRoutes } from './clients/scope-application-routes.ts';
import { productRoutes } from './merchants/product-routes.ts';
import { setCaller } from './request/request.ts';
import { adminKeyRoutes } from './settings/admin-key-routes.ts';
import { settingsRoutes } from './settings/settings-routes.ts';
import { accountRoutes } from './users/account-routes.ts';
import { userRoutes } from './users/user-routes.ts';
import { topUpWrites } from './wallets/top-up-writes.ts';
import { walletRoutes } from './wallets/wallet-routes.ts';
import { walletWrites } from './wallets/wallet-writes.ts';
import { withdrawalRoutes } from './wallets/withdrawal-routes.ts';
import { withdrawalWrite } from './wallets/withdrawal-write.ts';
import { searchRoutes } from './overview/search-routes.ts';
import { workRoutes } from './overview/overview-routes.ts';

const prefix = '/admin/v1';

/** Every write that may wait for a second person. */
const guardedWrites: readonly GuardedWrite[] = [
  ...topUpWrites,
  ...walletWrites,
  withdrawalWrite,
  refundWrite,
  complaintWrite,
  ...Object.values(caseWrites),
];

/**
 * The administration API, for the administration key or signed-in platform staff. Invariants: a call comes from a role that
 * allows it; a write from a browser proves its origin (D-121), a dangerous one that its person is present; every write is
 * recorded in the audit log. Its people handle refunds, complaints and chargebacks, withdrawals, guarantees and
 * credit here.
 */
export function adminRoutes(app: FastifyInstance, deps: AdminDeps): void {
  void app.register(
    (scope, _options, done) => {
      admitBy(scope, async (request) => {
        const caller = await authenticate(deps, request);
        if (caller.bySession && isWrite(request)) requireSameOrigin(request);
        const route = request.routeOptions.url?.slice(prefix.length) ?? '';
        if (!mayCall(caller.role, request.method, route)) throw new AppError('role_required');
        if (caller.proved_at !== null && needsPresence(request.method, route)) {
          requirePresence(caller.proved_at, deps.clock.real());
        }
        setCaller(request, caller);
      });
      currencyRoutes(scope, deps);
      userRoutes(scope, deps);
      accountRoutes(scope, deps);
      merchantRoutes(scope, deps);
      merchantFigureRoutes(scope, deps);
      productRoutes(scope, deps);
      walletRoutes(scope, deps);
      payoutRoutes(scope, deps);
      withdrawalRoutes(scope, deps);
      refundRoutes(scope, deps);
      complaintRoutes(scope, deps);
      disputeRoutes(scope, deps);
      approvalRoutes(scope, deps, guardedWrites);
      settingsRoutes(scope, deps);
      adminKeyRoutes(scope, deps);
      orderListRoutes(scope, deps);
      orderDetailRoutes(scope, deps);
      ledgerRoutes(scope, deps);
      verificationRoutes(scope, deps);
      reconciliationRoutes(scope, deps);
      caseRoutes(scope, deps);
      clientRoutes(scope, deps);
      scopeApplicationRoutes(scope, deps);
      channelRoutes(scope, deps);
      notificationBacklogRoutes(scope, deps);
      jobRoutes(scope, deps);
      auditLogRoutes(scope, deps);
      workRoutes(scope, deps);
      searchRoutes(scope, deps);
      deadLetterRoutes(scope, deps);
      if (deps.testClock !== null) clockRoutes(scope, deps, deps.testClock);
      done();
    },
    { prefix },
  );
}
