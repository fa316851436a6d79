import type { FastifyInstance } from 'fastify';
import { adminRoutes } from '../admin/routes.ts';
import { holdOrigins, runFrom } from '../base/audit/index.ts';
import { auditBacklog, sealFacts } from '../seals/index.ts';
import { catalogOrderRoutes, orderPath } from '../catalog/orders/index.ts';
import { createProductCounter } from '../catalog/search/index.ts';
import { catalogRoutes } from '../catalog/routes.ts';
import { checkoutToken } from '../checkout/link/checkout-token.ts';
import { createPurchaseAt } from '../checkout/state/purchase-at.ts';
import { accountAreaRoutes } from '../checkout/account/account-area-routes.ts';
import { readActivity } from '../checkout/account/read-activity.ts';
import { createLogoUrl } from '../checkout/logos/logo-url.ts';
import type { DemoShop } from '../checkout/pages/allowed-frames.ts';
import { checkoutRoutes } from '../checkout/routes.ts';
import type { OpeningNotes } from '../collection/openings/index.ts';
import type { CheckoutUrl } from '../collection/orders/index.ts';
import { collectionRoutes } from '../collection/routes.ts';
import { failingExportsOfAll } from '../console/exports/failing-exports.ts';
import { actingMerchant } from '../console/request/member.ts';
import { consoleRoutes } from '../console/routes.ts';
import { invitationPageRoutes } from '../console/settings/invitation-page-routes.ts';
import { brandingRoutes } from '../http/branding-routes.ts';
import { docsRoutes } from '../http/docs-routes.ts';
import { createPages, type Pages } from '../http/page-context.ts';
import type { ConnectedApps } from '../identity/account/index.ts';
import { type FindSessionUser, identityRoutes } from '../identity/routes.ts';
import { sessionHashOf, sessionIdOf, sessionToken } from '../identity/sessions/index.ts';
import { connectedApps } from '../oauth/consents/index.ts';
import { oauthRoutes } from '../oauth/routes.ts';
import { type BearerChecks, createBearerChecks } from '../oauth/tokens/index.ts';
import { type webhookMetrics, webhookRoutes } from '../payments/webhooks/index.ts';
import { oneAtATime, verifyAndKeep } from '../verification/index.ts';
import type { Background } from './background.ts';
import type { Orders } from './orders.ts';
import type { Shared } from './shared.ts';

/** What the web side needs. */
interface Web {
  shared: Shared;
  orders: Orders;
  background: Background;
  openings: Pick<OpeningNotes, 'note'>;
  cardWebhooks: ReturnType<typeof webhookMetrics>;
  demo_shop: DemoShop | null;
}

/** Registers every route except the health routes: the APIs, the checkout, the consoles and their documentation. */
export function registerRoutes(app: FastifyInstance, web: Web): void {
  noteOrigins(app);
  const { shared, background } = web;
  const pages = createPages(app, shared.branding);
  app.unknownPage = pages.unknownPage;
  brandingRoutes(app, shared.branding);
  const checks = createBearerChecks(shared);
  const apps = connectedApps(shared);
  const sessionUser = registerSignIn(app, web, { pages, apps, checks });
  registerMerchantApi(app, web, checks);
  registerCheckout(app, web, pages, sessionUser);
  webhookRoutes(app, { ...web.orders.payments, metrics: web.cardWebhooks }, background.wake.webhooks);
  docsRoutes(app, shared);
  registerConsoles(app, web, { sessionUser, apps, pages });
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Lets go of the origins; null where the request records no act. */
    endOrigin: (() => void) | null;
  }
}

/** The calls of merchants' servers and of buyers' pages, which record no act. */
const withoutActs = /^\/(?:openapi|checkout|webhooks)\//;

/** Tells the audit log where each request comes from. A body is read outside of its context, so this comes after it. */
function noteOrigins(app: FastifyInstance): void {
  app.decorateRequest('endOrigin', null);
  app.addHook('preHandler', (request, _reply, done) => {
    if (withoutActs.test(request.routeOptions.url ?? '')) {
      done();
      return;
    }
    const session_id = (): string | null => sessionIdOf(sessionToken(request));
    const session_hash = (): Buffer | null => sessionHashOf(sessionToken(request));
    const merchant_id = (): string | null => actingMerchant(request);
    request.endOrigin = holdOrigins();
    runFrom({ address: request.client_ip, session_id, session_hash, merchant_id }, done);
  });
  // A handler records its acts before it answers. The caller may have gone meanwhile (D-991).
  app.addHook('onSend', (request, { raw }, payload, done) => {
    const end = request.endOrigin;
    if (end !== null && raw.destroyed) end();
    else if (end !== null) raw.once('close', end);
    done(null, payload);
  });
}

/** Sign-in, and programs that act for people. */
function registerSignIn(
  app: FastifyInstance,
  { shared, orders, background }: Web,
  { pages, apps, checks: { subjectBearer } }: { pages: Pages; apps: ConnectedApps; checks: BearerChecks },
): FindSessionUser {
  const { db, cache, clock, ids, box, limiter, findMerchant } = shared;
  const purchaseAt = createPurchaseAt({ ...orders.collection, limiter }, app.site.base_path);
  const { sessionUser, isStillSignedIn } = identityRoutes(app, {
    ...{ db, clock, ids, box, limiter, pages },
    apps,
    staff_factor_required: shared.config.staff_factor_required,
    mail: shared.mailer !== null,
    onMail: background.wake.mails,
    purchaseAt: (request, path) => purchaseAt(request.client_ip, path),
    activityOf: (person) => readActivity({ ...orders.collection, base_path: app.site.base_path }, person),
  });
  oauthRoutes(app, {
    ...{ db, cache, clock, ids, box, limiter, findMerchant, subjectBearer, pages },
    findVisitor: sessionUser,
    isStillSignedIn,
  });
  return sessionUser;
}

/** The same in every answer: the token is made of the order alone. */
const checkoutUrlOf =
  ({ config, box }: Shared): CheckoutUrl =>
  (order) =>
    `${config.public_url}/checkout/${order.order_no}?token=${checkoutToken(box, order)}`;

/** Merchants' programs create orders and read the catalog. */
function registerMerchantApi(
  app: FastifyInstance,
  { shared, orders, background }: Web,
  { bearer }: BearerChecks,
): void {
  const { config, db, limiter, findMerchant, currencies } = shared;
  const checkoutUrl = checkoutUrlOf(shared);
  collectionRoutes(app, {
    ...{ ...orders.collection, bearer, limiter, checkoutUrl },
    notify_allow_cidrs: config.notify_allow_cidrs,
  });
  catalogOrderRoutes(app, {
    ...{ ...orders.catalog, bearer, limiter, payments: orders.payments },
    wakeFulfilment: background.wake.codes,
    orderPage: (order_no) => app.site.base_path + orderPath(order_no),
  });
  catalogRoutes(app, {
    db,
    countProducts: createProductCounter(db),
    bearer,
    limiter,
    findMerchant,
    currencies,
  });
}

/** Buyers pay. */
function registerCheckout(
  app: FastifyInstance,
  { shared, orders, background, openings, demo_shop }: Web,
  pages: Pages,
  sessionUser: FindSessionUser,
): void {
  const { limiter, findLogo } = shared;
  const logoUrl = createLogoUrl(findLogo, app.site.base_path);
  checkoutRoutes(app, {
    ...{ ...orders.collection, payments: orders.payments, limiter, findLogo, logoUrl, sessionUser, pages },
    demo_shop,
    ...{ mail: shared.mailer !== null, onMail: background.wake.mails },
    wakeFulfilment: background.wake.codes,
    noteOpening: openings.note,
  });
  accountAreaRoutes(app, { ...orders.collection, base_path: app.site.base_path, pages, sessionUser });
}

/** Merchants and administrators work in their consoles, and administrators' programs by their API. */
function registerConsoles(
  app: FastifyInstance,
  { shared, orders, background }: Web,
  { sessionUser, apps, pages }: { sessionUser: FindSessionUser; apps: ConnectedApps; pages: Pages },
): void {
  const { config, db, clock, ids, box, cache, log, limiter, testClock, findLogo } = shared;
  const { payments, collection, catalog } = orders;
  const common = { db, clock, ids, box, cache, log, sessionUser, limits: limiter };
  const forConsole = {
    ...{
      ...common,
      kindOf: payments.kindOf,
      queueMail: catalog.queueMail,
      vetNotifyUrl: collection.vetNotifyUrl,
    },
    ...{ mail: shared.mailer !== null, onMail: background.wake.mails },
    notify_allow_cidrs: config.notify_allow_cidrs,
    notify_ca: config.notify_ca,
    collection,
    checkoutUrl: checkoutUrlOf(shared),
    linkUrl: (link: string) => `${config.public_url}/pay/${link}`,
    logoPath: createLogoUrl(findLogo, app.site.base_path),
    branding: shared.branding,
    pages,
  };
  consoleRoutes(app, forConsole);
  invitationPageRoutes(app, forConsole);
  adminRoutes(app, {
    ...{ ...common, config, payments, testClock, apps, jobs: background.jobs },
    limiterReady: () => limiter.ready(),
    auditBacklog: () => auditBacklog({ db, sink: shared.auditSink }),
    failingExports: () => failingExportsOfAll(db),
    // Each holds a connection of this process for long.
    verifyBooks: oneAtATime(async (verified_by: string) => {
      // Seals first: the check then covers what has happened up to now.
      while ((await sealFacts({ db, clock, box })) > 0);
      return verifyAndKeep({ db, clock, box, sink: shared.sealSink }, { kind: 'full', verified_by });
    }),
  });
}
