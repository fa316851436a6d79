import type { FastifyInstance } from 'fastify';
import { AppError } from '../base/errors.ts';
import { admitBy, isWrite } from '../http/admit-twice.ts';
import type { Pages } from '../http/page-context.ts';
import { requireSameOrigin } from '../http/same-origin.ts';
import { requirePresence } from '../identity/sessions/index.ts';
import { catalogOrderRoutes } from './catalog/catalog-order-routes.ts';
import { apiRequestRoutes } from './developers/api-request-routes.ts';
import { clientKeyRoutes } from './developers/client-key-routes.ts';
import { clientRoutes } from './developers/client-routes.ts';
import { clientSecretRoutes } from './developers/client-secret-routes.ts';
import { scopeApplicationRoutes } from './developers/scope-application-routes.ts';
import { codeRoutes } from './catalog/code-routes.ts';
import type { ConsoleDeps } from './request/deps.ts';
import { exportRoutes } from './exports/export-routes.ts';
import { homeRoutes } from './home/home-routes.ts';
import { authorizeMember, type ByMerchant, memberOf, requirePerson } from './request/member.ts';
import { notificationRecordRoutes } from './notifications/notification-record-routes.ts';
import { receiverRoutes } from './notifications/receiver-routes.ts';
import { quickstartRoutes } from './developers/quickstart-routes.ts';
import { notificationSettingsRoutes } from './notifications/notification-settings-routes.ts';
import { activityRoutes } from './settings/activity-routes.ts';
import { linkRoutes } from './links/link-routes.ts';
import { newOrderRoutes } from './orders/new-order-routes.ts';
import { noteRoutes } from './orders/note-routes.ts';
import { orderRoutes } from './orders/order-routes.ts';
import { viewRoutes } from './home/view-routes.ts';
import { ownMerchantRoutes } from './home/my-merchants-routes.ts';
import { consolePageRoutes } from './pages/page-routes.ts';
import { peopleRoutes } from './settings/people-routes.ts';
import { mayWrite, merchantPath, needsPresence, routeOf } from './request/permissions.ts';
import { productRoutes } from './catalog/product-routes.ts';
import { reconciliationRoutes } from './orders/reconciliation-routes.ts';
import { settingsRoutes } from './settings/merchant-settings-routes.ts';
import { currencyRoutes } from './wallet/currency-routes.ts';
import { statementRoutes } from './wallet/statement-routes.ts';
import { salesRoutes } from './home/sales-routes.ts';
import { searchRoutes } from './home/search-routes.ts';
import { walletRoutes } from './wallet/wallet-routes.ts';

/**
 * The console API, for the people of one merchant. Invariants: a call touches only the merchant in its path; a write
 * proves its origin (D-121), comes from a role that allows it, and is recorded in the audit log (D-194). Handlers get
 * their caller from `memberOf`.
 */
export function consoleRoutes(
  app: FastifyInstance,
  deps: ConsoleDeps & { pages: Pick<Pages, 'context' | 'errorHandler'> },
): void {
  consolePageRoutes(app, deps);
  ownMerchantRoutes(app, deps);
  viewRoutes(app, deps);
  void app.register(
    (scope, _options, done) => {
      admitBy<ByMerchant>(scope, async (request) => {
        const person = await requirePerson(deps, request.headers);
        if (isWrite(request)) requireSameOrigin(request);
        await authorizeMember(deps, request, person, request.params.merchant_no);
        const route = routeOf(request);
        if (isWrite(request) && !mayWrite(memberOf(request).role, request.method, route)) {
          throw new AppError('role_required');
        }
        if (needsPresence(request.method, route)) requirePresence(person.proved_at, deps.clock.real());
      });
      homeRoutes(scope, deps);
      salesRoutes(scope, deps);
      peopleRoutes(scope, deps);
      activityRoutes(scope, deps);
      orderRoutes(scope, deps);
      newOrderRoutes(scope, deps);
      noteRoutes(scope, deps);
      linkRoutes(scope, deps);
      currencyRoutes(scope, deps);
      searchRoutes(scope, deps);
      statementRoutes(scope, deps);
      walletRoutes(scope, deps);
      exportRoutes(scope, deps);
      reconciliationRoutes(scope, deps);
      notificationSettingsRoutes(scope, deps);
      notificationRecordRoutes(scope, deps);
      receiverRoutes(scope, deps);
      quickstartRoutes(scope, deps);
      clientRoutes(scope, deps);
      clientSecretRoutes(scope, deps);
      clientKeyRoutes(scope, deps);
      scopeApplicationRoutes(scope, deps);
      apiRequestRoutes(scope, deps);
      catalogOrderRoutes(scope, deps);
      codeRoutes(scope, deps);
      settingsRoutes(scope, deps);
      productRoutes(scope, deps);
      done();
    },
    { prefix: merchantPath },
  );
}
