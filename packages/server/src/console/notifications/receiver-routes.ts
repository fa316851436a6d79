import { TestEventRequest } from '@paydesk/contract';
import type { FastifyInstance } from 'fastify';
import { recordAct } from '../../base/audit/index.ts';
import { reader } from '../../base/input/decode.ts';
import { parseJson } from '../../base/input/json.ts';
import { merchantNo } from '../../base/ids.ts';
import { rfc3339, rfc3339OrNull } from '../../base/time/clock.ts';
import {
  sendTestEvent,
  type TestDelivery,
  testEventAct,
} from '../../notifications/delivery-attempts/index.ts';
import { readHealth, type ReceiverHealth } from '../../notifications/receivers/index.ts';
import type { ConsoleDeps } from '../request/deps.ts';
import { type ByMerchant, memberOf } from '../request/member.ts';

const readTestEvent = reader(TestEventRequest);

/** Shows the health of a merchant's receivers, and sends a test event to the default one. */
export function receiverRoutes(app: FastifyInstance, deps: ConsoleDeps): void {
  const { db, clock, limits } = deps;
  app.get<ByMerchant>('/notification-health', async (request) => ({
    as_of: rfc3339(clock.now()),
    receivers: (await readHealth(deps, memberOf(request).merchant)).map(healthJson),
  }));

  const sending = { ...deps, allow_cidrs: deps.notify_allow_cidrs, ca: deps.notify_ca };
  app.post<ByMerchant>('/test-event', { config: { body: 'raw' } }, async (request) => {
    const { actor, merchant } = memberOf(request);
    const bytes = request.body as Buffer;
    const { forged = false } = bytes.length === 0 ? {} : readTestEvent(parseJson(bytes));
    await limits.take('test_events', actor);
    const sent = await sendTestEvent(sending, merchant, { forged });
    await recordAct(db, deps, {
      ...{ actor, action: testEventAct, target: `merchant:${merchantNo(merchant.merchant_id)}` },
      after: { event_id: sent.event_id, forged, ...sent.outcome },
    });
    return testEventJson(sent, forged);
  });
}

const healthJson = ({
  failing_since,
  last_failure_at,
  last_success_at,
  figures: { attempts, failures, p95_ms },
  ...rest
}: ReceiverHealth) => ({
  ...rest,
  failing_since: rfc3339OrNull(failing_since),
  last_failure_at: rfc3339OrNull(last_failure_at),
  last_success_at: rfc3339OrNull(last_success_at),
  ...{ attempts_24h: attempts, failures_24h: failures, p95_ms },
});

const testEventJson = (
  { event_id, sent_at, url, headers, body, outcome, duration_ms }: TestDelivery,
  forged: boolean,
) => ({
  ...{ event_id, forged, sent_at, delivered: outcome.error === null },
  request: {
    ...{ method: 'POST', url },
    headers: Object.entries(headers).map(([name, value]) => ({ name, value })),
    body,
  },
  response: { ...outcome, duration_ms },
});
