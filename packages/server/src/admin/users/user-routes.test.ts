import Fastify from 'fastify';
import { expect, test, vi } from 'vitest';
import { systemIds } from '../../base/ids.ts';
import { hashPassword } from '../../identity/people/index.ts';
import type { AdminDeps } from '../request/deps.ts';
import { setCaller } from '../request/request.ts';
import { userRoutes } from './user-routes.ts';

test('D-1071 a new account has no transaction before its password is hashed', async () => {
  const app = Fastify();
  app.addHook('onRequest', (request, _reply, done) => {
    setCaller(request, { actor: 'key:environment', role: 'admin', bySession: false, proved_at: null });
    done();
  });
  const transaction = vi.fn();
  const clock = { now: () => new Date(0) };
  userRoutes(app, { db: { transaction }, ids: systemIds(), clock } as unknown as AdminDeps);
  let over = false;
  const asManyAsPossible = Array.from({ length: 16 }, async () => {
    while (!over) await hashPassword('some other password');
  });
  const payload = { email: 'busy@people.test', name: 'Bea Busy', password: 'correct horse battery' };
  const answer = await app.inject({ method: 'POST', url: '/users', payload });
  over = true;
  await Promise.all(asManyAsPossible);
  expect([answer.json(), transaction.mock.calls]).toMatchObject([{ code: 'rate_limited' }, []]);
});
