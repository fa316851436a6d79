/** Answers the call of a write that may wait for a second person. */
import type { FastifyReply } from 'fastify';
import { InvariantError } from '../../base/errors.ts';
import type { Outcome, Written } from './guarded-write.ts';

/**
 * Sends 202 `approval_pending` if the write waits, and otherwise what `done` answers.
 *
 * @param done gets null if the write had been done before
 */
export async function answerOutcome(
  reply: FastifyReply,
  outcome: Outcome,
  done: (written: Written | null) => Promise<FastifyReply>,
): Promise<FastifyReply> {
  if (outcome.kind === 'done') return done(outcome.written);
  return reply.code(202).send({
    error: 'approval_pending',
    error_description: 'Nothing is booked yet: another person must approve this.',
    status: 'approval_pending',
    approval_id: outcome.approval.approval_id,
  });
}

/** The answer of a write that is never done before, because it has no reference. */
export async function answerOf(written: Written | null): Promise<object> {
  if (written === null) throw new InvariantError('a write without a reference was done before');
  return (await written.follow?.()) ?? written.after;
}
