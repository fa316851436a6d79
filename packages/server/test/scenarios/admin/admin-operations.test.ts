import { AuditAnswer, OrderDetailAnswer, PageOf, VerificationAnswer } from '@paydesk/contract';
import { Check } from 'typebox/value';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { openDatabase, sql } from '../../../src/base/pg/index.ts';
import {
  type Merchant,
  merchantOf,
  payWithPtk,
  type Platform,
  setUpPlatform,
  signIn,
} from '../../support/desks/platform.ts';
import { type Answer, type Json, startTestService, type TestService } from '../../support/desks/service.ts';

let service: TestService;
let platform: Platform;
let merchant: Merchant;

beforeAll(async () => {
  service = await startTestService();
  platform = await setUpPlatform(service);
  merchant = await merchantOf(service, platform.client);
});
afterAll(() => service.stop());

interface Documented {
  paths: { '/admin/v1/jobs/{name}/run': { post: { description: string } } };
}

const send = <T = Json>(method: string, path: string, body?: unknown): Promise<Answer<T>> =>
  service.send<T>(method, `/admin/v1${path}`, {
    headers: { authorization: 'Bearer test-administration-key' },
    ...(body === undefined ? {} : { body }),
  });

interface Detail extends Json {
  order: Json;
  quotes: Json[];
  attempts: Json[];
  postings: Json[];
  notifications: Json[];
}

describe('GET /collection-orders/{order_no}', () => {
  test('shows order, quotes, attempts, postings and notifications, but no way to act as the buyer', async () => {
    const notify = {
      notify_enabled: true,
      notify_url: 'https://receiver.example/hook',
      notify_secret: 'a-signing-secret-of-this-order-alone',
    };
    const order = await merchant.order({ amount: '10.00', description: 'Two books', ...notify });
    await payWithPtk(service, order, await signIn(service, platform.buyer));

    const { status, body, text } = await send<Detail>('GET', `/collection-orders/${order.order_no}`);
    expect(status).toBe(200);
    expect(Check(OrderDetailAnswer, body)).toBe(true);
    expect(body).toMatchObject({
      merchant_no: platform.merchant_no,
      order: {
        order_no: order.order_no,
        status: 'paid',
        amount: '10.00',
        currency: 'USD',
        payment_currency: 'PTK',
        payment_amount: '100.00000000',
        settlement_ptk: '10000000000',
        description: 'Two books',
        ptk_price: '0.100000000000',
        notify_mode: 'explicit',
        notify_url: notify.notify_url,
      },
      quotes: [
        { provider: 'ptk', currency: 'PTK', subtotal: '100.00000000', payment_amount: '100.00000000' },
      ],
      attempts: [{ state: 'paid', amount: '100.00000000', buyer_user_id: platform.buyer.user_id }],
      postings: [
        {
          posting: 'P2',
          debit: `user:${platform.buyer.user_id}:available`,
          credit: 'm:available',
          currency: 'PTK',
          amount: '100.00000000',
          amount_minor: '10000000000',
        },
      ],
      cases: [],
    });
    expect(body.notifications.map(({ status_version }) => status_version)).toEqual([2, 1]);
    const token = new URL(order.checkout_url).searchParams.get('token') ?? 'none';
    for (const secret of [token, 'checkout_url', 'session_url', notify.notify_secret, 'secret']) {
      expect(text).not.toContain(secret);
    }
  });

  test('R-177 an order whose time is over is shown expired', async () => {
    const order = await merchant.order({ expires_in: 60 });
    await service.advance(61);
    const { body } = await send<Detail>('GET', `/collection-orders/${order.order_no}`);
    expect(body.order).toMatchObject({ status: 'expired', fee_status: 'unselected' });
    expect([body.attempts, body.postings]).toEqual([[], []]);
  });

  test('an unknown number is 404', async () => {
    const answer = await send('GET', '/collection-orders/mp_01ARZ3NDEKTSV4RRFFQ69G5FAV');
    expect([answer.status, answer.body.error]).toEqual([404, 'not_found']);
  });
});

describe('POST /jobs/{name}/run', () => {
  test('runs a pass now, with or without a body, and says how much it did', async () => {
    const { body } = await service.send<Documented>('GET', '/openapi-admin.json');
    const { description } = body.paths['/admin/v1/jobs/{name}/run'].post;
    const documented = [...description.matchAll(/`([a-z-]+)`/g)].map(([, name]) => name);
    expect(documented).toHaveLength(9);
    for (const name of [...documented, 'reconcile']) {
      const answer = await send<{ processed: number }>('POST', `/jobs/${name}/run`);
      expect([name, answer.status]).toEqual([name, 200]);
      expect(Number.isInteger(answer.body.processed)).toBe(true);
      expect((await send('POST', `/jobs/${name}/run`, {})).status).toBe(200);
    }
    const { items } = await service.admin<{ items: Json[] }>('GET', '/audit-log?limit=1');
    expect(items[0]).toMatchObject({ action: 'job.run', target: 'job:reconcile' });
  });

  test('D-1180 a part of a job that fails keeps no other part from running', async () => {
    const db = openDatabase({ url: service.database.url, max: 1 });
    const old = new Date('2026-01-01T00:00:00Z');
    try {
      await db.query(
        sql`INSERT INTO sign_up_requests (request_id, email, email_key, locale, return_box, user_id, name, requested_at,
            expires_at, tries) VALUES (${crypto.randomUUID()}, 'a@shop.example', 'a@shop.example', 'en', ''::bytea,
            ${crypto.randomUUID()}, '', ${old}, ${old}, 0)`,
      );
      // An earlier part of the job reads it.
      await db.query(sql`ALTER TABLE one_time_tokens RENAME TO one_time_tokens_away`);
      expect((await send('POST', '/jobs/purge/run')).status).toBe(500);
      expect(await db.query(sql`SELECT 1 AS found FROM sign_up_requests WHERE expires_at = ${old}`)).toEqual(
        [],
      );
    } finally {
      await db.query(sql`ALTER TABLE IF EXISTS one_time_tokens_away RENAME TO one_time_tokens`);
      await db.close();
    }
  });

  // A cluster keeps no sums (D-430).
  test.skipIf(inject('citusUrl') !== null)(
    'D-1180 sums of accounts that cannot be kept keep those of what is owed from nothing',
    async () => {
      const db = openDatabase({ url: service.database.url, max: 1 });
      try {
        await db.query(sql`UPDATE owed_sum_marks SET snapshot = NULL`);
        await db.query(sql`ALTER TABLE account_sums RENAME TO account_sums_away`);
        expect((await send('POST', '/jobs/keep-sums/run')).status).toBe(500);
        expect(await db.query(sql`SELECT 1 AS kept FROM owed_sum_marks WHERE snapshot IS NOT NULL`)).toEqual([
          { kept: 1 },
        ]);
      } finally {
        await db.query(sql`ALTER TABLE IF EXISTS account_sums_away RENAME TO account_sums`);
        await db.close();
      }
    },
  );

  test.each(['nothing', 'constructor', '__proto__', 'toString', 'Sweep'])('%s is 404', async (name) => {
    const answer = await send('POST', `/jobs/${name}/run`);
    expect([answer.status, answer.body.error]).toEqual([404, 'not_found']);
  });
});

describe('GET /ledger/verification', () => {
  test('R-143 correct books are reported as correct, and errors are described', async () => {
    const fine = await send<{ entries: number }>('GET', '/ledger/verification');
    expect(Check(VerificationAnswer, fine.body)).toBe(true);
    expect(fine.body).toMatchObject({ ok: true, imbalances: [], drift: [] });
    expect(fine.body.entries).toBeGreaterThan(0);

    const { user_id } = platform.buyer;
    const db = openDatabase({ url: service.database.url, max: 1 });
    const move = (by: number): Promise<unknown> =>
      db.query(
        sql`UPDATE user_wallets SET available_ptk = available_ptk + ${by}::numeric WHERE user_id = ${user_id}`,
      );
    try {
      const { available_ptk } = await service.admin<{ available_ptk: string }>(
        'GET',
        `/users/${user_id}/wallet`,
      );
      await move(1);
      const { body } = await send('GET', '/ledger/verification');
      expect(Check(VerificationAnswer, body)).toBe(true);
      expect(body).toMatchObject({
        ok: false,
        imbalances: [],
        drift: [
          {
            owner: user_id,
            account: 'user:available',
            stored_ptk: (BigInt(available_ptk) + 1n).toString(),
            rebuilt_ptk: available_ptk,
          },
        ],
      });
    } finally {
      await move(-1);
      await db.close();
    }
  });
});

describe('GET /audit-log', () => {
  test('D-194 is paged newest first, and each write is in it once', async () => {
    for (const decimals of [1, 2, 3, 4]) {
      await service.admin('PUT', '/currencies/XTS', { decimals, enabled: false });
    }
    const seen: Json[] = [];
    let cursor = '';
    while (seen.length < 4) {
      const path = `/audit-log?limit=3${cursor}`;
      const page = await service.admin<{ items: Json[]; next_cursor: string }>('GET', path);
      expect(Check(PageOf(AuditAnswer), page)).toBe(true);
      seen.push(...page.items);
      cursor = `&cursor=${page.next_cursor}`;
    }
    expect(seen.slice(0, 4).map(({ after }) => (after as Json).decimals)).toEqual([4, 3, 2, 1]);
    const times = seen.map(({ at }) => String(at));
    expect(times).toEqual([...times].sort().reverse());
  });

  test('D-194 nothing in it is ever changed or taken away', async () => {
    const db = openDatabase({ url: service.database.url, max: 1 });
    await expect(db.query(sql`UPDATE audit_log SET actor = 'nobody'`)).rejects.toThrow(/append-only/);
    await expect(db.query(sql`DELETE FROM audit_log`)).rejects.toThrow(/append-only/);
    await db.close();
  });

  test('a write that is refused leaves no entry', async () => {
    const newest = async (): Promise<unknown> =>
      (await service.admin<{ items: Json[] }>('GET', '/audit-log?limit=1')).items[0]?.audit_id;
    const before = await newest();
    await send('PATCH', '/merchants/mr_00000000000000000000000001', { name: 'X' });
    await send('PUT', '/rates/PTK', { ptk_price: '1' });
    await send('PUT', '/clients/cl_nobody/scopes', { scopes: [], reason: 'r' });
    expect(await newest()).toBe(before);
  });
});
