/**
 * User information: tells a client about the person who authorized its token, as far as its scopes allow (R-323,
 * R-367, D-174), at a separate address (D-006).
 */
import type { UserInfo } from '@paydesk/contract';
import type { FastifyInstance } from 'fastify';
import type { Database } from '../../base/pg/index.ts';
import { AppError } from '../../base/errors.ts';
import type { IdSource } from '../../base/ids.ts';
import type { Limiter } from '../../http/rate-limit.ts';
import { selectPerson } from '../../identity/people/index.ts';
import type { BearerChecks } from '../tokens/index.ts';
import { ensureSubject } from '../consents/index.ts';
import { userinfoPath } from '../provider/index.ts';

export interface UserinfoDeps {
  db: Database;
  ids: IdSource;
  limiter: Limiter;
  subjectBearer: BearerChecks['subjectBearer'];
}

export function userinfoRoutes(
  app: FastifyInstance,
  { db, ids, limiter, subjectBearer }: UserinfoDeps,
): void {
  app.get(userinfoPath, async (request): Promise<UserInfo> => {
    const { client_id, user_id, scopes } = await subjectBearer(request, 'openid');
    await limiter.take('catalog_read', client_id);
    const person = await selectPerson(db, user_id);
    if (person === null) throw new AppError('invalid_token');
    const { name, email } = person;
    return {
      sub: await ensureSubject(db, user_id, client_id, ids.secret(24)),
      name,
      preferred_username: name,
      // Paydesk does not confirm addresses by mail.
      ...(scopes.includes('email') ? { email, email_verified: false } : {}),
    };
  });
}
