/** Running the service: background jobs, the audit log and the test clock. */
import Type, { type Static } from 'typebox';
import { Instant, OrNull, Stamp } from './scalars.ts';

/** Exactly one of the two members is sent. */
export const ClockMove = Type.Object({
  now: Type.Optional(Instant),
  advance_seconds: Type.Optional(Type.Integer({ minimum: 0 })),
});
export type ClockMove = Static<typeof ClockMove>;

export const JobAnswer = Type.Object({ processed: Type.Integer() });

export const AuditAnswer = Type.Object({
  audit_id: Type.String(),
  at: Stamp,
  /** `user:` or `key:` followed by an id, `environment key (bootstrap)`, `command`, or `anonymous`. */
  actor: Type.String(),
  action: Type.String(),
  target: Type.String(),
  reason: OrNull(Type.String()),
  before: Type.Unknown(),
  after: Type.Unknown(),
  /** The network address of the request; null for a command or a worker. */
  address: OrNull(Type.String()),
  /** Names the person’s session, as in `GET /session/list`, and gives no access. */
  session_id: OrNull(Type.String()),
});

export const ClockAnswer = Type.Object({ now: Stamp, offset_seconds: Type.Number() });
