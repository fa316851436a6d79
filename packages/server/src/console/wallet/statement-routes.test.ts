import Fastify from 'fastify';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { merchant_id, sampleMerchant } from '../../../test/support/desks/samples.ts';
import { merchantNo, systemIds } from '../../base/ids.ts';
import type { Sql } from '../../base/pg/index.ts';
import { admitBy } from '../../http/admit-twice.ts';
import type { ConsoleDeps } from '../request/deps.ts';
import { authorizeMember } from '../request/member.ts';
import { statementRoutes } from './statement-routes.ts';

const merchant = sampleMerchant();
const { owner_user_id: user_id } = merchant;
/** A database that has the merchant, and nothing else. */
const tx = {
  query: ({ text }: Sql) => Promise.resolve(text.includes('FROM merchants') ? [merchant] : []),
  write: () => Promise.resolve(),
  finish: () => Promise.resolve(),
};
const now = (): Date => new Date('2026-11-05T12:00:00Z');
const deps = {
  db: { ...tx, transaction: (work: (of: unknown) => unknown) => Promise.resolve(work(tx)) },
  clock: { now, real: now },
  ids: systemIds(),
  limits: { take: () => Promise.resolve() },
  branding: { current: () => ({ name: 'Paydesk' }) },
} as unknown as ConsoleDeps;

let app = Fastify();
beforeEach(() => {
  app = Fastify();
});
afterEach(async () => {
  vi.restoreAllMocks();
  await app.close();
});

test.each(['csv', 'pdf'])(
  'D-1077 a statement as %s that is taken slowly breaks off where the access of its caller has ended',
  async (kind) => {
    let asked = 0;
    admitBy(app, async (request) => {
      if (++asked > 1) throw new Error('no access');
      await authorizeMember(deps, request, { user_id }, merchantNo(merchant_id));
    });
    statementRoutes(app, deps);
    const url = await app.listen({ port: 0, host: '127.0.0.1' });
    let tick = 0;
    vi.spyOn(performance, 'now').mockImplementation(() => (tick += 2_000));
    const file = await fetch(`${url}/statements/2026-10/statement.${kind}`);
    expect(file.status).toBe(200);
    await expect(file.text()).rejects.toThrow();
  },
);
