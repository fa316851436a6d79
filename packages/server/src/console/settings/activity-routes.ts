import type { FastifyInstance } from 'fastify';
import { type AuditEntry, selectAuditEntriesById, selectMerchantActs } from '../../base/audit/index.ts';
import { pageOf, readPageRequest } from '../../base/input/list-page.ts';
import { rfc3339 } from '../../base/time/clock.ts';
import { selectPerson } from '../../identity/people/index.ts';
import type { ConsoleDeps } from '../request/deps.ts';
import { type ByMerchant, type Listing, memberOf } from '../request/member.ts';

/** `GET /activity`: what the merchant's people did in this console, from the audit log, newest first. */
export function activityRoutes(app: FastifyInstance, { db }: ConsoleDeps): void {
  const named = async (entries: readonly AuditEntry[]): Promise<Map<string, string>> => {
    const ids = [...new Set(entries.map(({ actor }) => actor.replace(/^user:/, '')))];
    const people = await Promise.all(ids.map((user_id) => selectPerson(db, user_id)));
    return new Map(people.flatMap((person) => (person === null ? [] : [[person.user_id, person.name]])));
  };

  app.get<ByMerchant & Listing>('/activity', async (request) => {
    const { merchant_id } = memberOf(request).merchant;
    const { limit, after } = readPageRequest(request.query);
    const ids = await selectMerchantActs(db, merchant_id, after, limit + 1);
    const entries = await selectAuditEntriesById(db, ids);
    const newest = entries.toSorted((a, b) => (a.audit_id < b.audit_id ? 1 : -1));
    const names = await named(newest);
    return pageOf(
      newest,
      limit,
      ({ audit_id }) => audit_id,
      ({ audit_id, at, actor, action, target, before, after: now }) => {
        const user_id = actor.replace(/^user:/, '');
        const person = { user_id, name: names.get(user_id) ?? '' };
        return { activity_id: audit_id, at: rfc3339(at), person, action, target, before, after: now };
      },
    );
  });
}
