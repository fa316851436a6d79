import { systemIds } from '../base/ids.ts';
import { liveCache } from '../base/caches/live-cache.ts';
import { hostname } from 'node:os';
import { createClockAlarm } from '../base/clocks/clock-alarm.ts';
import { watchBranding } from '../base/settings/index.ts';
import { createTimekeeper } from '../base/clocks/timekeeper.ts';
import { watchTrafficHold } from '../base/traffic/traffic-hold.ts';
import { startTestClock } from '../base/clocks/test-clock.ts';
import { connectionsBesidePool, openDatabase } from '../base/pg/index.ts';
import { openKeyRing } from '../base/keys/index.ts';
import { createChannels } from '../channels/index.ts';
import { createCurrencies } from '../currencies/index.ts';
import { createLimiter } from '../http/rate-limit.ts';
import { createMailer } from '../identity/mail/index.ts';
import { createFindLogo, createFindMerchant } from '../merchants/index.ts';
import type { SecretBox } from '../base/secret-box.ts';
import { databaseMetrics } from './database-metrics.ts';
import { createFindClient } from '../oauth/clients/index.ts';
import { openArchive } from '../notifications/delivery/index.ts';
import { openAuditSink, openSink } from '../seals/index.ts';
import type { ServiceOptions } from './options.ts';

/** What every part of a process shares: connections, clock, ids, keys, and what it caches of the configuration. */
export type Shared = Awaited<ReturnType<typeof openShared>>;

/** Connects to PostgreSQL and, if it is configured, to Redis. */
export async function openShared(options: ServiceOptions) {
  const { config, role, log, database_url, secret_keys, database_limits = {} } = options;
  const ids = systemIds();
  const timekeeper = createTimekeeper(log);
  const { clock } = timekeeper;
  const poolMetrics = databaseMetrics();
  const db = openDatabase({
    url: database_url,
    max: config.db_pool - connectionsBesidePool,
    ...database_limits,
    application_name: `paydesk ${role}`,
    onError: (err) => {
      log.warn({ err }, 'a database connection was lost');
    },
    onConnected: timekeeper.measureSoon,
    pool_observer: poolMetrics,
  });
  const openKeys = async (): Promise<SecretBox> => {
    await timekeeper.start(db);
    return openKeyRing(db, secret_keys, clock.real());
  };
  const box = await openKeys().catch(async (error: unknown) => {
    timekeeper.stop();
    await db.close();
    throw error;
  });
  const clockAlarm = createClockAlarm({
    ...{ db, timekeeper, log },
    process_id: ids.uuid(),
    process: `${role} on ${hostname()}, process ${process.pid}`,
  });
  clockAlarm.start();
  const cache = await liveCache(db);
  const hold = await watchTrafficHold(db, cache);
  const branding = await watchBranding(db, cache);
  const testClock = config.test_clock ? await startTestClock(db, clock) : null;
  const limiter =
    options.family !== undefined && config.redis_url === null
      ? options.family.limiter
      : await createLimiter(config.redis_url, log);
  return {
    config,
    log,
    ids,
    clock,
    timekeeper,
    clockAlarm,
    box,
    db,
    poolMetrics,
    cache,
    /** Whether `paydesk after-restore` holds all traffic. */
    hold,
    /** The platform's name, logo, accent colour and support address. */
    branding,
    /** Null where the test clock is not enabled. */
    testClock,
    limiter,
    /** Keeps the heads of the seals outside. Null where none is configured. */
    sealSink: config.seal_sink === null ? null : openSink(config.seal_sink),
    /** Takes each notification before it is sent. Null where none is configured. */
    notificationArchive:
      config.notification_archive === null ? null : openArchive(config.notification_archive),
    /** Takes the stream of the audit trail. Null where none is configured. */
    auditSink: config.audit_sink === null ? null : openAuditSink(config.audit_sink, config.audit_sink_ca),
    /** Null where no mail is sent. */
    mailer:
      config.mail === null
        ? null
        : createMailer(config.mail, { clock, ids, branding: () => branding.current() }),
    currencies: createCurrencies(db, cache),
    channels: createChannels(db, cache),
    findMerchant: createFindMerchant(db, cache),
    findLogo: createFindLogo(db, cache),
    findClient: createFindClient(db, cache),
  };
}

/** Closes all connections. Nothing may use them after that. */
export async function closeShared({
  timekeeper,
  clockAlarm,
  testClock,
  cache,
  limiter,
  mailer,
  db,
}: Shared): Promise<void> {
  timekeeper.stop();
  await clockAlarm.stop();
  await testClock?.stop();
  await cache.stop();
  await limiter.stop();
  mailer?.stop();
  await db.close();
}
