import type { FastifyInstance } from 'fastify';
import { days, later, rfc3339, rfc3339OrNull } from '../../base/time/clock.ts';
import type { Queryable } from '../../base/pg/index.ts';
import {
  figuresJson,
  selectMilestones,
  countUnresolved,
  selectDays,
} from '../../collection/figures/index.ts';
import { readMerchantBalances, selectHeldOfTests } from '../../ledger/books/index.ts';
import type { Merchant } from '../../merchants/index.ts';
import { selectGivenUpCountOf } from '../../notifications/backlog/index.ts';
import { failingReceivers, failuresToTell } from '../../notifications/receivers/index.ts';
import { selectClientPage } from '../../oauth/clients/index.ts';
import { dayAt, readTimeZone } from '../../base/time/zone-days.ts';
import { failingExports } from '../exports/failing-exports.ts';
import type { ConsoleDeps } from '../request/deps.ts';
import { type ByMerchant, type Listing, memberOf } from '../request/member.ts';

/** Long enough for a month, in every time zone. */
const span_ms = days(33);

/** The clock of a provider may be ahead. */
const ahead_ms = days(1);

/** Exact counts above this number are not useful. */
const mostCounted = 10_000;

/** `GET home`: the sales figures, what needs attention, and the set-up steps of a new merchant. */
export function homeRoutes(app: FastifyInstance, { db, clock }: ConsoleDeps): void {
  app.get<ByMerchant & Listing>('/home', async (request) => {
    const { merchant } = memberOf(request);
    const { merchant_id } = merchant;
    const time_zone = readTimeZone(request.query.time_zone);
    const now = clock.now();
    const range = { since: later(now, -span_ms), until: later(now, ahead_ms), time_zone };
    const [sums, unresolved, balances, held_of_tests, failing, receivers, exports, steps] = await Promise.all(
      [
        selectDays(db, merchant_id, { ...range, is_kept: db.isDistributed !== true }),
        countUnresolved(db, merchant_id, mostCounted),
        readMerchantBalances(db, merchant_id),
        selectHeldOfTests(db, merchant_id),
        selectGivenUpCountOf(db, merchant_id, mostCounted),
        failingReceivers({ db, clock }, merchant_id),
        failingExports(db, merchant_id),
        setUpSteps(db, merchant),
      ],
    );
    const { volume, orders } = figuresJson({ today: dayAt(now, time_zone), days: sums });
    return {
      ...{ as_of: rfc3339(now), time_zone, volume, orders },
      pending: Number(unresolved.pending),
      review: Number(unresolved.review),
      failing_notifications: failing,
      failing_receivers: receivers.filter(({ failures }) => failures >= failuresToTell).map(receiverJson),
      failing_exports: exports,
      wallet: {
        available_ptk: balances.available_ptk.toString(),
        held_ptk: balances.held_ptk.toString(),
        held_test_ptk: held_of_tests.toString(),
        recovery_ptk: balances.recovery_ptk.toString(),
      },
      steps,
    };
  });
}

const receiverJson = ({
  endpoint,
  failures,
  failing_since,
  last_failure_at,
  last_http_status,
  last_error,
}: Awaited<ReturnType<typeof failingReceivers>>[number]) => ({
  ...{ endpoint, failures, last_http_status, last_error },
  failing_since: rfc3339OrNull(failing_since),
  last_failure_at: rfc3339OrNull(last_failure_at),
});

/** The first steps of a new merchant, in order, and which of them are done. */
async function setUpSteps(db: Queryable, { merchant_id, notify_enabled, short_description }: Merchant) {
  const [clients, { ordered, paid }] = await Promise.all([
    selectClientPage(db, merchant_id, '', 100),
    selectMilestones(db, merchant_id),
  ]);
  const usable = clients.filter(({ disabled }) => !disabled);
  return [
    { step: 'profile', done: short_description !== '' },
    { step: 'client', done: usable.length > 0 },
    { step: 'scopes', done: usable.some(({ scopes }) => scopes.length > 0) },
    { step: 'notifications', done: notify_enabled },
    { step: 'order', done: ordered },
    { step: 'payment', done: paid },
  ];
}
