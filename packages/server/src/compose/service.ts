import { setTimeout as pause } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { adminRoutes } from '../admin/routes.ts';
import { OffsetClock, minutes, seconds } from '../base/time/clock.ts';
import { openDatabase, sql, checkVersion } from '../base/pg/index.ts';
import { systemIds } from '../base/ids.ts';
import { liveCache } from '../base/live/live-cache.ts';
import type { Logger } from '../base/log.ts';
import { secretBox } from '../base/secret-box.ts';
import { startTestClock } from '../base/live/test-clock.ts';
import {
  type CatalogOrderDeps,
  sweepCatalog,
  handOutDueCodes,
  isCatalogOrderNo,
  orderPath,
  catalogOrderRoutes,
  catalogKind,
} from '../catalog/orders/index.ts';
import { createCounts } from '../catalog/products/index.ts';
import { createCardProvider, createChannels } from '../channels/index.ts';
import {
  type CollectionDeps,
  sweepOverdue,
  type CheckoutUrl,
  collectionKind,
} from '../collection/orders/index.ts';
import { createCurrencies } from '../currencies/index.ts';
import { createMailer, type SendDeps, sendDueNotice } from '../identity/mail/index.ts';
import { sendDueReset } from '../identity/account/index.ts';
import { purgeExpiredSessions } from '../identity/sessions/index.ts';
import { createFindLogo, refreshDueLogos, createFindMerchant } from '../merchants/index.ts';
import { createDeliverer, deliveryMetrics, purgeOldAttempts } from '../notifications/delivery/index.ts';
import { vetAddress } from '../notifications/addresses/index.ts';
import { createBearerChecks, purgeExpiredTokens } from '../oauth/tokens/index.ts';
import { createFindClient, isClientSecret } from '../oauth/clients/index.ts';
import { connectedApps } from '../oauth/consents/index.ts';
import { type PaymentDeps, createLanes } from '../payments/engine/index.ts';
import { followDueDisputes, pursueDueCases } from '../payments/decisions/index.ts';
import {
  beginWebhooks,
  processCardWebhooks,
  purgeOldWebhooks,
  webhookMetrics,
  webhookRoutes,
} from '../payments/webhooks/index.ts';
import { pursueDueRefunds } from '../payments/losses/index.ts';
import { beginReconciliation, reconcileDue } from '../payments/card/index.ts';
import { releaseDueHolds } from '../payments/holds/index.ts';
import { purgeOldRequests, createRequestLog } from '../requests/index.ts';
import { catalogRoutes } from '../catalog/routes.ts';
import { checkoutToken } from '../checkout/checkout-token.ts';
import { createFetchLogo } from '../checkout/fetch-logo.ts';
import { createLogoUrl } from '../checkout/logo-path.ts';
import { orderPageRoutes } from '../checkout/order-page-routes.ts';
import { checkoutRoutes } from '../checkout/routes.ts';
import { collectionRoutes } from '../collection/routes.ts';
import type { Config } from '../config.ts';
import { consoleRoutes } from '../console/routes.ts';
import { docsRoutes } from '../http/docs-routes.ts';
import { healthRoutes } from '../http/health-routes.ts';
import { createPages } from '../http/page-context.ts';
import { createLimiter } from '../http/rate-limit.ts';
import { createHttp } from '../http/server.ts';
import { identityRoutes } from '../identity/routes.ts';
import { createLoop, type Loop, type Pass } from '../jobs/loop.ts';
import { oauthRoutes } from '../oauth/routes.ts';

/** What a process does: serve requests, do background work, or both. */
export type Role = 'all' | 'web' | 'worker';

export interface ServiceOptions {
  config: Config;
  database_url: string;
  secret_keys: readonly [Buffer, ...Buffer[]];
  role: Role;
  log: Logger;
  /** For tests, which wait for none of these. */
  timings?: Partial<Timings>;
}

/** How long the network and other processes are waited for; real milliseconds. */
export interface Timings {
  /** A call to the card provider. */
  provider_timeout_ms: number;
  /** How long a request to the provider may hold an attempt: longer than the call, or two would ask at once. */
  lease_ms: number;
  /** How long a start waits for the creation that another request has begun (D-094). */
  wait_ms: number;
}

const usualTimings: Timings = {
  provider_timeout_ms: seconds(8),
  lease_ms: seconds(12),
  wait_ms: seconds(10),
};

/** How long a stopping process waits for what it has asked of providers; others take up the rest (H-24). */
const lastCalls_ms = seconds(9);

/** A running Paydesk process. */
export interface Service {
  app: FastifyInstance;
  /** Where it listens. */
  url: string;
  /** Stops accepting, finishes what runs, gives up leases: within 10 seconds (H-24). */
  stop(): Promise<void>;
}

/** Builds the whole service by plain functions and starts it. The database is migrated already. */
export async function startService(options: ServiceOptions): Promise<Service> {
  const { config, role, log } = options;
  const timings = { ...usualTimings, ...options.timings };
  const ids = systemIds();
  const clock = new OffsetClock();
  const box = secretBox(options.secret_keys);
  const db = openDatabase({
    url: options.database_url,
    application_name: `paydesk ${role}`,
    onError: (err) => {
      log.warn({ err }, 'a database connection was lost');
    },
  });
  const cache = await liveCache(db);
  const testClock = config.test_clock ? await startTestClock(db, clock) : null;
  const limiter = await createLimiter(config.redis_url, log);

  const currencies = createCurrencies(db, cache);
  const findMerchant = createFindMerchant(db, cache);
  const channels = createChannels(db, cache);
  const findLogo = createFindLogo(db, cache);
  const collection = collectionKind(ids);
  const catalog = catalogKind();
  const payments: PaymentDeps = {
    db,
    clock,
    ids,
    log,
    box,
    channels,
    cards: createCardProvider(box, timings.provider_timeout_ms),
    kindOf: (order_no) => (isCatalogOrderNo(order_no) ? catalog : collection),
    public_url: config.public_url,
    lease_ms: timings.lease_ms,
    wait_ms: timings.wait_ms,
  };
  const orders: CollectionDeps = {
    db,
    clock,
    ids,
    log,
    box,
    currencies,
    channels,
    findMerchant,
    kindOf: payments.kindOf,
    vetNotifyUrl: vetAddress(config.notify_allow_cidrs),
    isClientSecret: (merchant_id, text) => isClientSecret(db, box, merchant_id, text, clock.real()),
  };
  const { kindOf } = payments;
  const catalogOrders: CatalogOrderDeps = {
    ...{ db, clock, ids, log, box, currencies, channels, findMerchant, kindOf },
  };
  const metrics = deliveryMetrics({ db, clock });
  const deliverer = createDeliverer({
    db,
    clock,
    box,
    log,
    allow_cidrs: config.notify_allow_cidrs,
    ca: config.notify_ca,
    metrics,
  });

  const lanes = {
    webhooks: createLanes(() => {
      loops.webhooks.wake();
    }),
    attempts: createLanes(() => {
      loops.reconcile.wake();
    }),
  };
  const followPayments = async (): Promise<number> =>
    (await processCardWebhooks(payments)) + (await reconcileDue(payments)) + (await pursueDueCases(payments));
  const followLosses = async (): Promise<number> =>
    (await pursueDueRefunds(payments)) + (await followDueDisputes(payments));
  const jobs = {
    sweep: async () => (await sweepOverdue(orders)) + (await sweepCatalog(catalogOrders)),
    reconcile: async () => (await followPayments()) + (await followLosses()),
    deliver: () => deliverer.runOnce(),
    'release-holds': () => releaseDueHolds(payments),
    'hand-out-codes': () => handOutDueCodes(catalogOrders),
  };
  const purge = async (): Promise<number> =>
    (await purgeExpiredTokens({ db, clock })) +
    (await purgeExpiredSessions({ db, clock })) +
    (await purgeOldWebhooks({ db, clock })) +
    (await purgeOldAttempts({ db, clock })) +
    (await purgeOldRequests({ db, clock }));
  const fetchLogo = createFetchLogo({ allow_cidrs: config.notify_allow_cidrs, ca: config.notify_ca });
  const every = (name: string, every_ms: number, pass: Pass): Loop =>
    createLoop({ name, pass, every_ms, clock, log });
  // What waits for a provider has a loop of its own: none is behind another that hangs.
  const loops = {
    sweep: every('sweep', minutes(1), jobs.sweep),
    holds: every('release-holds', minutes(1), jobs['release-holds']),
    codes: every('hand-out-codes', seconds(1), jobs['hand-out-codes']),
    logos: every('logos', seconds(10), () => refreshDueLogos({ db, cache, clock, fetchLogo })),
    losses: every('losses', minutes(1), followLosses),
    purge: every('purge', minutes(10), purge),
    webhooks: every('webhooks', seconds(1), () => beginWebhooks(payments, lanes.webhooks)),
    reconcile: every('reconcile', seconds(1), () => beginReconciliation(payments, lanes.attempts)),
    cases: every('cases', seconds(1), () => pursueDueCases(payments)),
  };

  const { public_url } = config;
  const mailer = config.mail === null ? null : createMailer(config.mail, { clock, ids });
  const mails = createLoop({
    name: 'mails',
    pass: () =>
      mailer === null ? Promise.resolve(0) : sendMails({ db, clock, ids, mailer, log, public_url }),
    every_ms: seconds(10),
    clock,
    log,
  });

  const findClient = createFindClient(db, cache);
  const requests = createRequestLog({
    ...{ db, clock, ids },
    merchantOf: async (client_id) => (await findClient(client_id))?.merchant_id ?? null,
  });
  // Serving processes write what they were asked, once a second: never while there is more, which is always.
  const requestNotes = every('request-notes', seconds(1), async () => {
    await requests.flush();
    return 0;
  });

  const app = createHttp({ config, log, ids, onAnswered: requests.note });
  const registry = healthRoutes(app, {
    checks: {
      database: async () => {
        await db.query(sql`SELECT 1`);
      },
      migrations: () => checkVersion(db),
      limiter: () => limiter.ready(),
    },
  });
  metrics.register(registry);
  requests.register(registry);
  const cardWebhooks = webhookMetrics();
  cardWebhooks.register(registry);
  if (role !== 'worker') {
    const { bearer, subjectBearer } = createBearerChecks({ db, cache, clock, findMerchant });
    const pages = createPages(app);
    const checkoutUrl: CheckoutUrl = (order) =>
      `${config.public_url}/checkout/${order.order_no}?token=${checkoutToken(box, order)}`;
    const sessionUser = identityRoutes(app, {
      ...{ db, clock, ids, box, limiter, pages },
      apps: connectedApps({ db, cache, findMerchant }),
      mail: mailer !== null,
      onMail: () => {
        mails.wake();
      },
    });
    oauthRoutes(app, {
      db,
      cache,
      clock,
      ids,
      box,
      limiter,
      findMerchant,
      subjectBearer,
      findVisitor: sessionUser,
      pages,
    });
    collectionRoutes(app, {
      ...orders,
      bearer,
      limiter,
      checkoutUrl,
      notify_allow_cidrs: config.notify_allow_cidrs,
    });
    const wakeFulfilment = (): void => {
      loops.codes.wake();
    };
    catalogOrderRoutes(app, {
      ...{ ...catalogOrders, bearer, limiter, payments, wakeFulfilment },
      orderPage: (order_no) => app.site.base_path + orderPath(order_no),
    });
    const countProducts = createCounts(db);
    catalogRoutes(app, { db, countProducts, bearer, limiter, findMerchant, currencies });
    const logoUrl = createLogoUrl(findLogo, app.site.base_path);
    checkoutRoutes(app, { ...orders, payments, limiter, findLogo, logoUrl, sessionUser });
    orderPageRoutes(app, { ...orders, payments, limiter, logoUrl, pages, sessionUser, wakeFulfilment });
    webhookRoutes(app, { ...payments, metrics: cardWebhooks }, () => {
      loops.webhooks.wake();
    });
    docsRoutes(app, { config });
    const { vetNotifyUrl } = orders;
    const { notify_allow_cidrs } = config;
    const forConsole = { db, clock, ids, box, cache, log, kindOf, sessionUser, limits: limiter };
    consoleRoutes(app, { ...forConsole, vetNotifyUrl, notify_allow_cidrs });
    const limiterReady = () => limiter.ready();
    const forAdmin = { config, db, clock, ids, box, cache, log, payments, sessionUser, limits: limiter };
    adminRoutes(app, { ...forAdmin, limiterReady, jobs, testClock });
  }

  const release = async (): Promise<void> => {
    await testClock?.stop();
    await cache.stop();
    await limiter.stop();
    mailer?.stop();
    await db.close();
  };
  try {
    await app.listen({ host: config.host, port: config.port });
  } catch (error) {
    await app.close();
    await release();
    throw error;
  }
  requestNotes.start();
  if (role !== 'web') {
    for (const loop of Object.values(loops)) loop.start();
    deliverer.start();
    mails.start();
  }
  return {
    app,
    url: addressOf(app),
    async stop() {
      const all = [...Object.values(loops), mails, requestNotes];
      await Promise.all([app.close(), deliverer.stop(), ...all.map((loop) => loop.stop())]);
      await requests.flush().catch((err: unknown) => {
        log.warn({ err }, 'the last requests could not be noted');
      });
      const idle = Promise.all(Object.values(lanes).map((lane) => lane.idle()));
      await Promise.race([idle, pause(lastCalls_ms, undefined, { ref: false })]);
      await release();
    },
  };
}

const sendMails = async (deps: SendDeps): Promise<number> =>
  (await sendDueReset(deps)) + (await sendDueNotice(deps));

function addressOf(app: FastifyInstance): string {
  const address = app.server.address();
  return typeof address === 'object' && address !== null
    ? `http://${address.family === 'IPv6' ? `[${address.address}]` : address.address}:${address.port}`
    : '';
}
