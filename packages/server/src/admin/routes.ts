import type { FastifyInstance } from 'fastify';
import { requireSameOrigin } from '../http/same-origin.ts';
import { authenticate } from './authenticate.ts';
import { caseRoutes } from './case-routes.ts';
import { channelRoutes } from './channel-routes.ts';
import { clientRoutes } from './client-routes.ts';
import { clockRoutes } from './clock-routes.ts';
import { currencyRoutes } from './currency-routes.ts';
import { deadLetterRoutes } from './dead-letter-routes.ts';
import type { AdminDeps } from './deps.ts';
import { ledgerRoutes } from './ledger-routes.ts';
import { lossListRoutes } from './loss-list-routes.ts';
import { lossRoutes } from './loss-routes.ts';
import { merchantRoutes } from './merchant-routes.ts';
import { notificationRoutes } from './notification-routes.ts';
import { operationRoutes } from './operation-routes.ts';
import { orderListRoutes } from './order-list-routes.ts';
import { payoutRoutes } from './payout-routes.ts';
import { scopeApplicationRoutes } from './scope-application-routes.ts';
import { productRoutes } from './product-routes.ts';
import { setActor } from './request.ts';
import { userRoutes } from './user-routes.ts';
import { walletRoutes } from './wallet-routes.ts';
import { withdrawalRoutes } from './withdrawal-routes.ts';
import { workRoutes } from './work-routes.ts';

export type { AdminDeps } from './deps.ts';

/**
 * The administration API: for the holder of the administration key, or a signed-in administrator, from whose browser
 * a write must come with proof of its origin (D-121). Every write leaves an entry in the audit log.
 */
export function adminRoutes(app: FastifyInstance, deps: AdminDeps): void {
  void app.register(
    (scope, _options, done) => {
      scope.addHook('onRequest', async (request) => {
        const { actor, bySession } = await authenticate(deps, request.headers);
        if (bySession && !['GET', 'HEAD'].includes(request.method)) requireSameOrigin(request);
        setActor(request, actor);
      });
      currencyRoutes(scope, deps);
      userRoutes(scope, deps);
      merchantRoutes(scope, deps);
      productRoutes(scope, deps);
      walletRoutes(scope, deps);
      payoutRoutes(scope, deps);
      withdrawalRoutes(scope, deps);
      lossRoutes(scope, deps);
      lossListRoutes(scope, deps);
      orderListRoutes(scope, deps);
      ledgerRoutes(scope, deps);
      caseRoutes(scope, deps);
      clientRoutes(scope, deps);
      scopeApplicationRoutes(scope, deps);
      channelRoutes(scope, deps);
      notificationRoutes(scope, deps);
      operationRoutes(scope, deps);
      workRoutes(scope, deps);
      deadLetterRoutes(scope, deps);
      if (deps.testClock !== null) clockRoutes(scope, deps, deps.testClock);
      done();
    },
    { prefix: '/admin/v1' },
  );
}
