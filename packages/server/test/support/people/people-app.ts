import type { FastifyInstance } from 'fastify';
import type { AddressInfo } from 'node:net';
import { OffsetClock } from '../../../src/base/time/clock.ts';
import { type Database, openDatabase, type Tx } from '../../../src/base/pg/index.ts';
import { systemIds } from '../../../src/base/ids.ts';
import { liveCache } from '../../../src/base/caches/live-cache.ts';
import { createLog } from '../../../src/base/log.ts';
import { type SecretBox, secretBox } from '../../../src/base/secret-box.ts';
import { type Limiter, memoryLimiter } from '../../../src/http/rate-limit.ts';
import { createPages } from '../../../src/http/page-context.ts';
import { createHttp } from '../../../src/http/server.ts';
import { createFindMerchant } from '../../../src/merchants/read-merchants.ts';
import { createMerchant, updateMerchant } from '../../../src/merchants/save-merchant.ts';
import type { AdapterDeps } from '../../../src/oauth/provider/adapter.ts';
import { type Bearer, createBearerChecks, type Needs } from '../../../src/oauth/tokens/bearer-check.ts';
import type { ClientType } from '../../../src/oauth/clients/client.ts';
import { createClient } from '../../../src/oauth/clients/save-client.ts';
import { createFindClient } from '../../../src/oauth/clients/read-clients.ts';
import { oauthRoutes } from '../../../src/oauth/routes.ts';
import { freshDatabase } from '../servers/database.ts';

/** A clock whose real time can be moved as well, for records that expire by real time. */
export class MovableClock extends OffsetClock {
  ahead_ms = 0;

  override real(): Date {
    return new Date(super.real().getTime() + this.ahead_ms);
  }
}

/** A merchant's client as its owner knows it. */
export interface Credentials {
  client_id: string;
  client_secret: string;
}

/** The authorization server over HTTP, on a database of its own, with a call that needs any scope asked for. */
export interface OauthApp {
  app: FastifyInstance;
  url: string;
  db: Database;
  box: SecretBox;
  clock: MovableClock;
  bearer: Bearer;
  /** Creates an active merchant. */
  merchant(): Promise<string>;
  deactivate(merchant_id: string): Promise<void>;
  client(settings: ClientSettings): Promise<Credentials>;
  /** Runs a write and clears this process's cache. */
  change<T>(work: Work<T>): Promise<T>;
  /** Runs a write as another process would: this one has to hear of it. */
  elsewhere<T>(work: Work<T>): Promise<T>;
  adapterDeps: AdapterDeps;
  stop(): Promise<void>;
}

export interface ClientSettings {
  merchant_id: string | null;
  scopes: readonly string[];
  type?: ClientType;
}

type Work<T> = (tx: Tx) => Promise<T>;

/** @param limiter the limiter to use; default: in memory */
export async function startOauthApp(limiter: Limiter = memoryLimiter()): Promise<OauthApp> {
  const database = await freshDatabase();
  const db = openDatabase({ url: database.url, max: 5 });
  const cache = await liveCache(db);
  const clock = new MovableClock();
  const ids = systemIds();
  const box = secretBox([Buffer.alloc(32, 7)]);
  const findMerchant = createFindMerchant(db, cache);
  const { bearer, subjectBearer } = createBearerChecks({ db, cache, clock, findMerchant });
  const config = { public_url: 'http://127.0.0.1:8080', base_path: '', trusted_proxies: ['127.0.0.0/8'] };
  const app = createHttp({ config, log: createLog('silent'), ids });
  oauthRoutes(app, {
    ...{ db, cache, clock, ids, box, limiter, findMerchant, subjectBearer },
    findVisitor: () => Promise.resolve(null),
    isStillSignedIn: () => Promise.resolve(true),
    pages: createPages(app),
  });
  app.get<{ Querystring: Needs }>('/needs', async (request) => bearer(request, request.query));
  await app.listen({ host: '127.0.0.1', port: 0 });
  const elsewhere = <T>(work: Work<T>): Promise<T> =>
    db.transaction(async (tx) => {
      const done = await work(tx);
      await cache.announce(tx);
      return done;
    });
  const change = async <T>(work: Work<T>): Promise<T> => {
    const done = await elsewhere(work);
    cache.clear();
    return done;
  };
  return {
    app,
    url: `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`,
    db,
    box,
    clock,
    bearer,
    change,
    elsewhere,
    adapterDeps: { db, cache, clock, findClient: createFindClient(db, cache) },
    async merchant() {
      const merchant_id = ids.uuid();
      const settings = { name: 'Shop', owner_user_id: ids.uuid() };
      await change((tx) => createMerchant(tx, merchant_id, settings, clock.now()));
      return merchant_id;
    },
    async deactivate(merchant_id) {
      await change((tx) => updateMerchant(tx, merchant_id, { status: 'inactive' }));
    },
    async client({ merchant_id, scopes, type = 'confidential' }) {
      const settings = { merchant_id, name: 'App', type, scopes, redirect_uris: [] };
      const made = await change((tx) => createClient(tx, { box, ids }, settings, clock.real()));
      return { client_id: made.client.client_id, client_secret: made.client_secret ?? '' };
    },
    async stop() {
      await app.close();
      await cache.stop();
      await limiter.stop();
      await db.close();
      await database.drop();
    },
  };
}
