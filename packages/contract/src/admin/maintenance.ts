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
  /** `user:` or `key:` followed by an id, or `environment key (bootstrap)`. */
  actor: Type.String(),
  action: Type.String(),
  target: Type.String(),
  reason: OrNull(Type.String()),
  before: Type.Unknown(),
  after: Type.Unknown(),
});

export const ClockAnswer = Type.Object({ now: Stamp, offset_seconds: Type.Number() });
