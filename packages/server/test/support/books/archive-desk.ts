/** A shop whose closed orders can leave for the archive, and what looks at them. */
import { mkdtemp, readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { merchantIdOf, systemIds } from '../../../src/base/ids.ts';
import { copyDistributed, type Sql, sql } from '../../../src/base/pg/index.ts';
import { secretBox } from '../../../src/base/secret-box.ts';
import { days, later, OffsetClock } from '../../../src/base/time/clock.ts';
import { archiveOrders, type ArchiveRun, type ArchiveSum } from '../../../src/cli/books/archive.ts';
import { checkBooks } from '../../../src/payments/facts/index.ts';
import { checkSealedFacts, publicKeyPem, sealFacts } from '../../../src/seals/index.ts';
import { verifyAndKeep } from '../../../src/verification/index.ts';
import { type LossDesk, notify_secret, openLossDesk, openShop, type Shop } from '../desks/losses.ts';
import { recordsOf } from '../notifications/notify.ts';
import type { Order } from '../desks/platform.ts';
import { eventually, type Json } from '../desks/service.ts';

export type ArchiveDesk = Awaited<ReturnType<typeof openArchiveDesk>>;

class Undo extends Error {}

export async function openArchiveDesk() {
  const desk = await openLossDesk();
  const shop = await openShop(desk, { hold_days: 0, guarantee: 1_000_000_000_000n });
  const { db } = desk.service;
  const clock = new OffsetClock();
  const deps = () => ({ db, clock, box: secretBox([desk.service.secret_key]), sink: null });
  const told = (order: Order) => toldAt(shop, order);
  const byPtk = async (): Promise<Order> => told(await shop.byPtk());
  return {
    ...{ desk, shop, db, clock, told, byPtk },
    merchant_id: merchantIdOf(shop.merchant_no) ?? '',
    byCard: async (): Promise<Order> => told((await shop.byCard()).order),
    async refunded(): Promise<Order> {
      const order = await byPtk();
      expect((await shop.refund(order)).status).toBeLessThan(300);
      return told(await shop.until(order, 'refunded'));
    },
    /** An order that expired, made from this request. */
    async expired(body: Json = {}): Promise<Order> {
      const order = await shop.merchant.order({ ...notifying(desk), expires_in: 60, ...body });
      await desk.service.advance(61);
      await desk.service.admin('POST', '/jobs/sweep/run');
      return told(await shop.until(order, 'expired'));
    },
    notifying: (): Json => notifying(desk),
    /** Seals all that is committed. That waits for older transactions on the whole server, such as those of other tests. */
    async sealAll(): Promise<void> {
      const [own] = await db.query<{ xid: string }>(sql`SELECT pg_current_xact_id()::text AS xid`);
      await eventually(
        async () => {
          while ((await sealFacts(deps())) > 0);
          const [mark] = await db.query<{ past: boolean }>(
            sql`SELECT sealed_below > ${own?.xid ?? '0'}::bigint AS past FROM seal_marks`,
          );
          return mark?.past;
        },
        (past) => past === true,
      );
    },
    async findings(kind: 'full' | 'incremental' = 'full'): Promise<string[]> {
      const { findings } = await verifyAndKeep(deps(), { kind, verified_by: 'test' });
      return findings.map(({ kind: of, words }) => `${of}: ${words}`);
    },
    /** The kinds of findings after changes by a superuser that are then undone. */
    async foundAfter(...changes: Sql[]): Promise<string[]> {
      let found: string[] = [];
      const work = db.transaction(async (tx) => {
        await tx.query(sql`SET LOCAL session_replication_role = replica`);
        for (const change of changes) await tx.query(change);
        await copyDistributed(tx);
        const books = await checkBooks(tx, null);
        found = [...books.findings, ...(await checkSealedFacts(tx, { ...deps(), at: clock.now() }))].map(
          ({ kind }) => kind,
        );
        throw new Undo();
      });
      await expect(work).rejects.toThrow(Undo);
      return [...new Set(found)].sort();
    },
    /** A run whose day is tomorrow, so that all that is closed now may leave. */
    async archived(folder: string, more: Partial<ArchiveRun> = {}): Promise<ArchiveSum> {
      const soon = later(clock.now(), days(1));
      const pem = (await publicKeyPem(db, null)) ?? '';
      return archiveOrders(
        { db, clock, ids: systemIds(), pem, before: soon, settled_at: soon, ...more },
        folder,
      );
    },
    /** The rows of orders that can leave. */
    async rowsOf(...orders: Order[]): Promise<{ events: number; quotes: number }> {
      const numbers = orders.map(({ order_no }) => order_no);
      const count = async (from: Sql): Promise<number> => {
        const [row] = await db.query<{ n: number }>(
          sql`SELECT count(*)::int AS n ${from} WHERE order_no = ANY(${numbers})`,
        );
        return row?.n ?? NaN;
      };
      return { events: await count(sql`FROM notifications`), quotes: await count(sql`FROM payment_quotes`) };
    },
    async stop(): Promise<void> {
      await desk.stop();
    },
  };
}

/** The files of an archive. */
export const filesIn = async (folder: string): Promise<string[]> =>
  (await readdir(folder)).filter((name) => name.endsWith('.jsonl.gz')).sort();

export const newFolder = (): Promise<string> => mkdtemp(join(tmpdir(), 'archive-'));

const notifying = ({ receiver }: LossDesk): Json => ({
  notify_enabled: true,
  notify_url: receiver.url(),
  notify_secret,
});

/** An order with every event delivered. */
async function toldAt(shop: Shop, order: Order): Promise<Order> {
  await eventually(
    () => recordsOf(shop.merchant, order),
    (records) => records.length > 0 && records.every((record) => record.delivery_status === 'delivered'),
  );
  return order;
}
