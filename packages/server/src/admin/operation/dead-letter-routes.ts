import { ReplayFailed } from '@paydesk/contract';
import type { FastifyInstance } from 'fastify';
import { isNotificationId } from '../../notifications/events/index.ts';
import { runAudited } from '../../base/audit/index.ts';
import { pageOf, readPageRequest } from '../../base/input/list-page.ts';
import { type GivenUp, selectGivenUp } from '../../notifications/backlog/index.ts';
import { replayAudited, replayFailedAudited } from '../../notifications/delivery-records/index.ts';
import {
  type GivenUpMark,
  type GivenUpWebhook,
  selectGivenUpWebhooks,
  replayWebhook,
} from '../../payments/webhooks/index.ts';
import { reader } from '../../base/input/decode.ts';
import { readInstant } from '../../base/input/instant.ts';
import { rfc3339 } from '../../base/time/clock.ts';
import { AppError } from '../../base/errors.ts';
import { merchantNo } from '../../base/ids.ts';
import type { AdminDeps } from '../request/deps.ts';
import { merchantIdInPath, merchantIdInQuery } from '../request/merchant.ts';
import { actorOf, type ByMerchant, type Listing } from '../request/request.ts';

const readReplayFailed = reader(ReplayFailed);

interface ByEvent {
  Params: ByMerchant['Params'] & { event_id: string };
}
interface ByWebhook {
  Params: { payment_no: string; provider_event_id: string };
}

/**
 * Lists the notifications and card webhooks that the service has stopped retrying, and lets administrators retry them.
 */
export function deadLetterRoutes(app: FastifyInstance, deps: AdminDeps): void {
  failedNotifications(app, deps);
  failedWebhooks(app, deps);
}

function failedNotifications(app: FastifyInstance, deps: AdminDeps): void {
  const { db } = deps;

  app.get<Listing>('/failed-notifications', async ({ query }) => {
    const { limit, after } = readPageRequest(query, isNotificationId);
    const failed = await selectGivenUp(db, merchantIdInQuery(query), after, limit + 1);
    return pageOf(failed, limit, ({ event_id }) => event_id, givenUpJson);
  });

  app.post<ByEvent>(
    '/merchants/:merchant_no/notifications/:event_id/retry',
    { config: { body: 'ignored' } },
    async (request, reply) => {
      const { merchant_no, event_id } = request.params;
      await replayAudited(deps, actorOf(request), merchantIdInPath(merchant_no), event_id);
      return reply.code(202).send({ accepted: true });
    },
  );

  app.post<ByMerchant>('/merchants/:merchant_no/notifications/retry-failed', async (request, reply) => {
    const merchant_id = merchantIdInPath(request.params.merchant_no);
    const asked = readReplayFailed(request.body);
    return reply.code(202).send(await replayFailedAudited(deps, actorOf(request), merchant_id, asked));
  });
}

function failedWebhooks(app: FastifyInstance, deps: AdminDeps): void {
  const { db, clock } = deps;

  app.get<Listing>('/failed-webhooks', async ({ query }) => {
    const { limit, after } = readPageRequest(query, isMark);
    const failed = await selectGivenUpWebhooks(db, after === null ? null : markOf(after), limit + 1);
    return pageOf(failed, limit, markText, webhookJson);
  });

  app.post<ByWebhook>(
    '/channels/:payment_no/webhooks/:provider_event_id/retry',
    { config: { body: 'ignored' } },
    async (request, reply) => {
      const webhook = request.params;
      await runAudited(deps, { actor: actorOf(request), action: 'webhook.retry' }, async (tx) => {
        const outcome = await replayWebhook(tx, webhook, clock.now());
        if (outcome === 'unknown') throw new AppError('not_found');
        if (outcome === 'unchanged') return null;
        const target = `webhook:${webhook.payment_no}:${webhook.provider_event_id}`;
        return { target, before: { given_up: true }, after: { given_up: false } };
      });
      return reply.code(202).send({ accepted: true });
    },
  );
}

const givenUpJson = ({ merchant_id, created_at, ...rest }: GivenUp) => ({
  merchant_no: merchantNo(merchant_id),
  ...rest,
  created_at: rfc3339(created_at),
});

const webhookJson = ({ received_at, given_up_at, ...rest }: GivenUpWebhook) => ({
  ...rest,
  received_at: rfc3339(received_at),
  given_up_at: rfc3339(given_up_at),
});

/** Joins the parts of a cursor with line breaks: no part contains one. */
const markText = ({ given_up_at, payment_no, provider_event_id }: GivenUpMark): string =>
  [rfc3339(given_up_at), payment_no, provider_event_id].join('\n');

const isMark = (text: string): boolean =>
  /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z\n[^\n]+\n[^\n]+$/.test(text);

function markOf(text: string): GivenUpMark {
  const [at = '', payment_no = '', provider_event_id = ''] = text.split('\n');
  return { given_up_at: readInstant('cursor', at), payment_no, provider_event_id };
}
