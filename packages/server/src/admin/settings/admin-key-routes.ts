import { AdminKeyRevocation, NewAdminKey } from '@paydesk/contract';
import type { FastifyInstance } from 'fastify';
import { logAct, runAudited } from '../../base/audit/index.ts';
import { reader } from '../../base/input/decode.ts';
import { readInstant } from '../../base/input/instant.ts';
import { pageOf, readPageRequest } from '../../base/input/list-page.ts';
import { rfc3339, rfc3339OrNull } from '../../base/time/clock.ts';
import type { Tx } from '../../base/pg/index.ts';
import { rejectAllOf } from '../approvals/index.ts';
import {
  type AdminKey,
  createKey,
  keyActor,
  type Revoked,
  revokeKey,
  selectAdminKeys,
  statusOfKey,
} from '../keys/index.ts';
import { demandReason } from '../request/decode.ts';
import type { AdminDeps } from '../request/deps.ts';
import { actorOf, type ByKey, type Listing } from '../request/request.ts';

const readNew = reader(NewAdminKey);
const readRevocation = reader(AdminKeyRevocation);

/** Named administration keys: lists them, newest first; creates one, whose text is shown once; and revokes one. */
export function adminKeyRoutes(app: FastifyInstance, deps: AdminDeps): void {
  const { db, ids, clock } = deps;

  app.get<Listing>('/keys', async ({ query }) => {
    const { limit, after } = readPageRequest(query);
    const keys = await selectAdminKeys(db, after, limit + 1);
    const now = clock.real();
    return pageOf(
      keys,
      limit,
      ({ key_id }) => key_id,
      (key) => keyJson(key, now),
    );
  });

  app.post('/keys', async (request, reply) => {
    const { name, role, expires_at, allowed_cidrs = [] } = readNew(request.body);
    const wanted = { name, role, expires_at: readInstant('expires_at', expires_at), allowed_cidrs };
    const actor = actorOf(request);
    const { after, text } = await runAudited(deps, { actor, action: 'admin-key.create' }, async (tx) => {
      const now = clock.real();
      const { created, text } = await createKey(tx, ids, wanted, actor, now);
      return {
        target: `key:${created.key_id}`,
        before: null,
        after: keyJson(created, now),
        shown: 'admin_key',
        text,
      };
    });
    // The key is shown only in this answer, because only its hash is stored.
    return reply.code(201).send({ ...after, key: text });
  });

  app.delete<ByKey>('/keys/:key_id', { config: { body: 'json' } }, async (request) => {
    const { key_id } = request.params;
    const { reason: given, children = true } = readRevocation(request.body);
    const reason = demandReason(given);
    const actor = actorOf(request);
    const now = clock.real();
    return db.transaction(async (tx) => {
      const [key, ...others] = await revokeKey(tx, key_id, { actor, reason, children }, now);
      for (const one of [key, ...others]) await recordRevocation(tx, deps, one, { actor, reason, now });
      const revoked_children = others.map(({ after }) => after.key_id);
      return { ...keyJson(key.after, now), ...(others.length === 0 ? {} : { revoked_children }) };
    });
  });
}

/** Records the revocation of a key, and rejects its waiting writes. A key that was revoked before already has its entry. */
async function recordRevocation(
  tx: Tx,
  deps: AdminDeps,
  { before, after }: Revoked,
  { actor, reason, now }: { actor: string; reason: string; now: Date },
): Promise<void> {
  if (before === after) return;
  const change = { target: keyActor(after), before: keyJson(before, now), after: keyJson(after, now) };
  await logAct(tx, deps, { actor, action: 'admin-key.revoke', reason }, change);
  await rejectAllOf(tx, deps, keyActor(after), { actor, reason });
}

/** A key as administrators and the audit log see it. */
const keyJson = (key: AdminKey, now: Date) => ({
  key_id: key.key_id,
  name: key.name,
  role: key.role,
  status: statusOfKey(key, now),
  allowed_cidrs: key.allowed_cidrs,
  created_by: key.created_by,
  created_at: rfc3339(key.created_at),
  expires_at: rfc3339(key.expires_at),
  last_used_at: rfc3339OrNull(key.last_used_at),
  revoked_at: rfc3339OrNull(key.revoked_at),
  revoked_by: key.revoked_by,
  revoke_reason: key.revoke_reason,
});
