import { setTimeout as pause } from 'node:timers/promises';
import { days, later, minutes, seconds } from '../base/time/clock.ts';
import { inTime } from '../base/time/in-time.ts';
import { handOutDueCodes } from '../catalog/fulfilment/index.ts';
import { sweepCatalog } from '../catalog/orders/index.ts';
import { sendDueBuyerMail } from '../checkout/mails/send-buyer-mail.ts';
import { createFetchLogo } from '../checkout/logos/fetch-logo.ts';
import { keepOrderSums, keepProgressSums } from '../collection/figures/index.ts';
import { keepAccountSums, keepOwedSums } from '../ledger/sums/index.ts';
import { selectOrder, sweepOverdue } from '../collection/orders/index.ts';
import { purgeOldExports } from '../console/exports/queue-exports.ts';
import { sendDueExports } from '../console/exports/send-export.ts';
import { purgeExpiredInvitations, sendDueInvitation } from '../console/settings/invitations.ts';
import { sendDueReset } from '../identity/password-reset/index.ts';
import { purgeExpiredSignUps, sendDueSignUp } from '../identity/sign-up/index.ts';
import { purgeOldBuyerMails, queueNotice, sendDueNotice } from '../identity/mail/index.ts';
import { purgeExpiredSessions } from '../identity/sessions/index.ts';
import { inTurn } from '../jobs/in-turn.ts';
import { createLoop, type Loop, type Pass } from '../jobs/loop.ts';
import type { Rest } from '../jobs/rest.ts';
import { refreshDueLogos } from '../merchants/index.ts';
import { noticeSink } from '../notices/index.ts';
import { purgeOldDeliveryAttempts } from '../notifications/delivery-attempts/index.ts';
import { deliveryMetrics } from '../notifications/backlog/index.ts';
import { createDeliverer } from '../notifications/delivery/index.ts';
import { purgeExpiredTokens } from '../oauth/tokens/index.ts';
import { beginDueChecks, checkDueAttempts } from '../payments/card/index.ts';
import { followDueDisputes } from '../payments/following/index.ts';
import { pursueDueCases } from '../payments/case-money/index.ts';
import { sendDueEvidence } from '../payments/disputes/index.ts';
import { createChannelSlots, createPace } from '../payments/engine/index.ts';
import { releaseDueHolds } from '../payments/holds/index.ts';
import { pursueDueRefunds } from '../payments/refunds/index.ts';
import { reconcileWhenDue } from '../payments/reconciliation/index.ts';
import { beginWebhooks, processCardWebhooks, purgeOldWebhooks } from '../payments/webhooks/index.ts';
import { purgeOldRequests } from '../requests/index.ts';
import { createAuditStream, isAuditUnsealed, publishHeads, sealFacts } from '../seals/index.ts';
import { verifyWhenDue } from '../verification/index.ts';
import type { Timings } from './options.ts';
import type { Orders } from './orders.ts';
import { type PassMetrics, passMetrics } from './pass-metrics.ts';
import type { Shared } from './shared.ts';

/** How long a stopping process waits for its calls to providers; other processes repeat the rest (H-24). */
const lastCalls_ms = seconds(9);

/** The longest rest of sealing: the alarm for old passes sounds after five minutes. */
const sealRest_ms = minutes(4);

/** The least time between two passes of sealing that entries of the audit log cause. */
const sealsApart_ms = seconds(5);

/** Checks of attempts that a process starts in a second for each channel: providers limit the requests of an account. */
const checksPerSecond = 20;

/** How long a pass may take that continues until no work remains, as after an outage. */
const thorough = { longest_ms: minutes(15) };

/** The background work of a process: each subject has its own loop, so that none waits for another. */
export interface Background {
  /** The passes that an administrator may run by hand, by name. */
  jobs: Readonly<Record<string, Pass>>;
  /** Figures about the delivery of notifications. */
  metrics: ReturnType<typeof deliveryMetrics>;
  /** Figures about the passes of the loops. */
  passes: PassMetrics;
  /**
   * Begins what a request has made due: at once, in whichever process it came to, so that no buyer waits for a worker. Mail is left
   * to the workers, which may be all that reaches the mail server (D-1182).
   */
  wake: Record<'codes' | 'webhooks' | 'mails', () => void>;
  start(): void;
  /** The names of loops whose pass does not end. */
  stuck(): string[];
  /**
   * Lets the running passes finish and starts no other. Gives up one that waits for too long, not for the database but for a mail
   * server or a sink: its work is done again (D-1230).
   */
  stop(): Promise<void>;
  /** Waits for calls to providers that are still under way, up to a limit. */
  waitForLastCalls(): Promise<void>;
}

export function createBackground(
  shared: Shared,
  orders: Orders,
  rest: Rest,
  { stop_ms }: Pick<Timings, 'stop_ms'>,
): Background {
  const { config, db, clock, box, log, hold } = shared;
  const metrics = deliveryMetrics({ db, clock });
  let works = false;
  const wakeMails = (): void => {
    if (works) loops.mails.wake();
  };
  const measures = passMetrics();
  const looked = measures.measured('deliver', seconds(1), () => Promise.resolve(0));
  const deliverer = createDeliverer({
    ...{ db, clock, box, log, metrics, rest, ids: shared.ids },
    mail:
      shared.mailer === null
        ? null
        : {
            queue: queueNotice,
            wake: wakeMails,
          },
    archive: shared.notificationArchive,
    keyOf: async (merchant_id, order_no) =>
      (await selectOrder(db, merchant_id, order_no))?.idempotency_key ?? null,
    isHeld: () => hold.current() !== null,
    allow_cidrs: config.notify_allow_cidrs,
    ca: config.notify_ca,
    onLooked: () => void looked(),
  });
  const passes = createPasses(shared, orders, {
    onMail: wakeMails,
    onSealed: () => {
      loops.heads.wake();
    },
    wakeAudit: () => {
      loops.audit.wake();
    },
  });
  const { loops, idle } = createLoops(shared, orders, passes, { measures, rest });
  const wake = (loop: Loop) => () => {
    loop.wake();
  };
  return {
    jobs: {
      sweep: passes.sweep,
      reconcile: passes.reconcile,
      deliver: () => deliverer.runOnce(),
      'release-holds': passes.releaseHolds,
      'keep-sums': passes.keepSums,
      'hand-out-codes': passes.handOutCodes,
      'send-exports': passes.sendExports,
      seal: inTurn(passes.seal, passes.publishHeads),
      purge: inTurn(passes.purge, passes.purgeRequests),
    },
    metrics,
    passes: measures,
    wake: { codes: wake(loops.codes), webhooks: wake(loops.webhooks), mails: wakeMails },
    start() {
      works = true;
      measures.start();
      for (const loop of Object.values(loops)) loop.start();
      deliverer.start();
    },
    stuck: () => [...Object.values(loops), deliverer].flatMap((loop) => loop.stuck()),
    async stop() {
      passes.endChecks();
      const ended = Promise.all([deliverer.stop(), ...Object.values(loops).map((loop) => loop.stop())]);
      await inTime<unknown>(ended, stop_ms, () => undefined);
    },
    async waitForLastCalls() {
      await Promise.race([idle(), pause(lastCalls_ms, undefined, { ref: false })]);
    },
  };
}

type Passes = ReturnType<typeof createPasses>;

/** What the loops run. Each pass does what is due and returns how much that was. */
function createPasses(
  shared: Shared,
  { payments, collection, catalog }: Orders,
  { onMail, onSealed, wakeAudit }: { onMail: () => void; onSealed: () => void; wakeAudit: () => void },
) {
  const { config, db, cache, clock, ids, box, log, mailer, sealSink, auditSink } = shared;
  const fetchLogo = createFetchLogo({ allow_cidrs: config.notify_allow_cidrs, ca: config.notify_ca });
  const ending = new AbortController();
  const followPayments = inTurn(
    () => processCardWebhooks(payments),
    () => checkDueAttempts(payments),
    () => pursueDueCases(payments),
  );
  const followEarlierLosses = inTurn(
    () => pursueDueRefunds(payments),
    () => followDueDisputes(payments),
    () => sendDueEvidence(payments),
  );
  const seal = (): Promise<number> => sealFacts({ db, clock, box });
  const notices = createAuditStream({
    ...{ db, clock, ids, log, again: createAlarm(wakeAudit) },
    sink: noticeSink({ db, clock, mail: mailer !== null, onMail }),
  });
  const stream =
    auditSink === null
      ? null
      : createAuditStream({ db, clock, ids, log, again: createAlarm(wakeAudit), sink: auditSink });
  return {
    sweep: inTurn(
      () => sweepOverdue(collection),
      () => sweepCatalog(catalog),
    ),
    reconcile: inTurn(followPayments, followEarlierLosses),
    keepSums: inTurn(
      () => keepAccountSums(db).then(() => 0),
      () => keepOwedSums(db).then(() => 0),
      () => keepOrderSums({ db, clock }),
      () => keepProgressSums({ db, clock }),
    ),
    releaseHolds: () => releaseDueHolds(payments),
    handOutCodes: () => handOutDueCodes(catalog),
    refreshLogos: () => refreshDueLogos({ db, cache, clock, fetchLogo }),
    followEarlierLosses,
    pursueCases: () => pursueDueCases(payments),
    sendMails: mailPass(shared),
    sendExports: () =>
      sendDueExports({
        ...{ db, clock, ids, box, log, mailer, branding: shared.branding, public_url: config.public_url },
        ...{ allow_cidrs: config.notify_allow_cidrs, ca: config.notify_ca },
        isEnding: () => ending.signal.aborted,
      }),
    seal,
    /** Apart from sealing, so that a sink that does not answer delays no seal (D-1181). */
    publishHeads: () => publishHeads({ db, log, sink: sealSink }).then(() => 0),
    /** Entries of the audit log are sealed at once, unless there was a pass just before; then they go to their sink. */
    keepAuditTrail: inTurn(
      async () => {
        if (!(await isAuditUnsealed(db, later(clock.now(), -sealsApart_ms)))) return 0;
        await seal();
        onSealed();
        return 0;
      },
      notices,
      ...(stream === null ? [] : [stream]),
    ),
    verify: () => verifyWhenDue({ db, clock, box, sink: sealSink, log, signal: ending.signal }),
    compareProviders: () => reconcileWhenDue(payments, ending.signal),
    /** Checks may take long: they end at once, and another process starts them again. */
    endChecks: () => {
      ending.abort();
    },
    purge: purgePass(shared),
    purgeRequests: () => purgeOldRequests({ db, clock }),
  };
}

/** Calls `ring` after a time. Only the time that was set last counts. */
function createAlarm(ring: () => void): (after_ms: number) => void {
  let timer: NodeJS.Timeout | undefined;
  return (after_ms) => {
    clearTimeout(timer);
    timer = setTimeout(ring, after_ms).unref();
  };
}

/** Deletes what is kept for a time only, of each kind. */
function purgePass({ db, clock }: Shared): Pass {
  return inTurn(
    () => purgeExpiredTokens({ db, clock }),
    () => purgeExpiredSessions({ db, clock }),
    () => purgeExpiredInvitations({ db, clock }),
    () => purgeExpiredSignUps({ db, clock }),
    () => purgeOldBuyerMails({ db, clock }),
    () => purgeOldExports({ db, clock }),
    () => purgeOldWebhooks({ db, clock }),
    () => purgeOldDeliveryAttempts({ db, clock }),
  );
}

/** Sends the mails that are due, of each kind. */
function mailPass({ config, db, clock, ids, box, log, mailer, findMerchant }: Shared): Pass {
  if (mailer === null) return () => Promise.resolve(0);
  const deps = { db, clock, ids, mailer, log, public_url: config.public_url };
  return inTurn(
    () => sendDueSignUp(deps),
    () => sendDueBuyerMail({ ...deps, box, findMerchant }),
    () => sendDueReset(deps),
    () => sendDueNotice(deps),
    () => sendDueInvitation(deps),
  );
}

/** The limits of a loop, in real milliseconds: of a pass, and of a rest. 0: it does not rest. */
interface Limits {
  longest_ms?: number;
  rest_ms?: number;
}

function createLoops(
  { clock, log, hold }: Shared,
  { payments }: Orders,
  passes: Passes,
  { measures, rest }: { measures: PassMetrics; rest: Rest },
) {
  /** A worker does nothing while traffic is held: not even the seals see what is put in order. */
  const whileFlowing = (pass: Pass) => (): Promise<number> =>
    hold.current() === null ? pass() : Promise.resolve(0);
  const every = (name: string, every_ms: number, pass: Pass, { longest_ms, rest_ms }: Limits = {}): Loop => {
    const measured = measures.measured(name, every_ms, whileFlowing(pass));
    const onRest = (): void => {
      measures.rested(name);
    };
    return createLoop({
      ...{ name, pass: measured, every_ms, clock, log, longest_ms },
      rest: { of: rest, longest_ms: rest_ms, onRest },
    });
  };
  const slots = {
    webhooks: createChannelSlots(() => {
      loops.webhooks.wake();
    }),
    attempts: createChannelSlots(
      () => {
        loops.reconcile.wake();
      },
      undefined,
      createPace(checksPerSecond),
    ),
  };
  const sealThenPublish = async (): Promise<number> => {
    const more = await passes.seal();
    if (more === 0) loops.heads.wake();
    return more;
  };
  /** It looks at all merchants, and so not again at once for what has grown old meanwhile (D-1234). */
  const purgeRequests = (): Promise<number> => passes.purgeRequests().then(() => 0);
  const loops = {
    // Overdue orders are moved every minute.
    sweep: every('sweep', minutes(1), passes.sweep, thorough),
    holds: every('release-holds', minutes(1), passes.releaseHolds, thorough),
    sums: every('keep-sums', minutes(1), passes.keepSums, thorough),
    codes: every('hand-out-codes', seconds(1), passes.handOutCodes),
    logos: every('logos', seconds(10), passes.refreshLogos),
    losses: every('losses', minutes(1), passes.followEarlierLosses, thorough),
    seal: every('seal', seconds(20), sealThenPublish, { ...thorough, rest_ms: sealRest_ms }),
    heads: every('seal-heads', seconds(20), passes.publishHeads, thorough),
    audit: every('audit-trail', seconds(1), passes.keepAuditTrail, thorough),
    verify: every('verify', minutes(1), passes.verify, { longest_ms: days(1), rest_ms: 0 }),
    purge: every('purge', minutes(10), passes.purge, { ...thorough, rest_ms: 0 }),
    requests: every('purge-requests', minutes(10), purgeRequests, { ...thorough, rest_ms: 0 }),
    providers: every('reconcile-providers', minutes(5), passes.compareProviders, {
      longest_ms: days(1),
      rest_ms: 0,
    }),
    webhooks: every('webhooks', seconds(1), () => beginWebhooks(payments, slots.webhooks)),
    reconcile: every('reconcile', seconds(1), () => beginDueChecks(payments, slots.attempts)),
    cases: every('cases', seconds(1), passes.pursueCases),
    mails: every('mails', seconds(10), passes.sendMails),
    exports: every('exports', seconds(10), passes.sendExports),
  };
  return { loops, idle: () => Promise.all(Object.values(slots).map((of) => of.idle())) };
}
