/**
 * The buyer's checkout: pages and forms that need no script, a JSON API for the page's script, and logos. Everything
 * with an effect is a POST (D-115, H-20). Merchants may embed the checkout page (ADR 49).
 */
import type { FastifyInstance } from 'fastify';
import { watchOrders } from '../collection/watching/index.ts';
import type { Pages } from '../http/page-context.ts';
import { checkoutApiRoutes } from './api/checkout-api-routes.ts';
import { eventRoutes } from './api/event-routes.ts';
import { logoRoutes } from './logos/logo-routes.ts';
import { assetRoutes } from './pages/asset-routes.ts';
import type { DemoShop } from './pages/allowed-frames.ts';
import { embedScriptRoutes } from './pages/embed-script-routes.ts';
import { catalogOrderPageRoutes } from './pages/catalog-order-page-routes.ts';
import { payLinkRoutes } from './pages/payment-link-routes.ts';
import { checkoutPageRoutes } from './pages/checkout-page-routes.ts';
import { paymentFormRoutes } from './pages/payment-form-routes.ts';
import { receiptPdfRoutes } from './pages/receipt-pdf-routes.ts';
import { topUpRoutes } from './pages/top-up-routes.ts';
import { receiptMailRoutes } from './pages/receipt-mail-routes.ts';
import { returnRoutes } from './pages/provider-return-routes.ts';
import type { CheckoutDeps } from './request/deps.ts';

export interface CheckoutRoutesDeps extends CheckoutDeps {
  pages: Pages;
  demo_shop: DemoShop | null;
}

export function checkoutRoutes(app: FastifyInstance, deps: CheckoutRoutesDeps): void {
  assetRoutes(app, deps.pages.assets);
  embedScriptRoutes(app, deps.pages.assets);
  logoRoutes(app, deps);
  checkoutPageRoutes(app, deps);
  receiptMailRoutes(app, deps);
  receiptPdfRoutes(app, deps);
  paymentFormRoutes(app, deps);
  payLinkRoutes(app, deps);
  topUpRoutes(app, deps);
  returnRoutes(app, deps);
  catalogOrderPageRoutes(app, deps);
  checkoutApiRoutes(app, deps);
  eventRoutes(app, deps, watchOrders(deps.db, deps.log));
}
