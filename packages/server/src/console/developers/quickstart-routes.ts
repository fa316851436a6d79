import type { quickstartSteps } from '@paydesk/contract';
import type { FastifyInstance } from 'fastify';
import { selectActs } from '../../base/audit/index.ts';
import { merchantNo } from '../../base/ids.ts';
import type { Queryable } from '../../base/pg/index.ts';
import { selectMilestones } from '../../collection/figures/index.ts';
import type { Merchant } from '../../merchants/index.ts';
import { hasDelivered } from '../../notifications/backlog/index.ts';
import { selectClientPage } from '../../oauth/clients/index.ts';
import { selectFirstSuccess } from '../../requests/index.ts';
import { testEventAct } from '../../notifications/delivery-attempts/index.ts';
import type { ConsoleDeps } from '../request/deps.ts';
import { type ByMerchant, memberOf } from '../request/member.ts';

/** `GET quickstart`: the way of a developer from a client to the first verified notification. */
export function quickstartRoutes(app: FastifyInstance, { db }: Pick<ConsoleDeps, 'db'>): void {
  const { public_url } = app.site;
  app.get<ByMerchant>('/quickstart', async (request) => {
    const { client_id, done } = await readProgress(db, memberOf(request).merchant);
    return {
      base_url: public_url,
      token_endpoint: `${public_url}/oauth/token`,
      client_id,
      steps: Object.entries(done).map(([step, isDone]) => ({ step, done: isDone })),
    };
  });
}

type Done = Record<(typeof quickstartSteps)[number], boolean>;

async function readProgress(
  db: Queryable,
  { merchant_id, notify_url, notify_enabled }: Merchant,
): Promise<{ client_id: string | null; done: Done }> {
  const target = `merchant:${merchantNo(merchant_id)}`;
  const [clients, { ordered }, asked, tests, delivered] = await Promise.all([
    selectClientPage(db, merchant_id, '', 100),
    selectMilestones(db, merchant_id),
    selectFirstSuccess(db, merchant_id, '/oauth/token'),
    selectActs(db, { target, action: testEventAct }, 50),
    hasDelivered(db, merchant_id),
  ]);
  const usable = clients.filter(({ disabled }) => !disabled);
  const results = tests.map(({ after }) => after as TestResult);
  const test_event = results.some(({ forged, error }) => !forged && error === null);
  // The latest forged event counts: a receiver that was changed since is judged again.
  const forgery = results.find(({ forged }) => forged);
  return {
    client_id: usable[0]?.client_id ?? null,
    done: {
      client: usable.length > 0,
      scopes: usable.some(({ scopes }) => scopes.length > 0),
      // Requests are kept for a week; an order is never deleted, so it stays as proof.
      token: asked !== null || ordered,
      endpoint: notify_url !== '' && notify_enabled,
      test_event,
      verified: test_event && forgery?.error === 'http_error',
      order: ordered,
      notification: delivered,
    },
  };
}

interface TestResult {
  forged: boolean;
  error: string | null;
}
