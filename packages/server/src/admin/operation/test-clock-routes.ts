import { ClockMove } from '@paydesk/contract';
import type { FastifyInstance } from 'fastify';
import { later, rfc3339 } from '../../base/time/clock.ts';
import { invalid } from '../../base/errors.ts';
import type { ClockTarget, TestClock } from '../../base/clocks/test-clock.ts';
import { runAudited } from '../../base/audit/index.ts';
import { reader } from '../../base/input/decode.ts';
import { readInstant } from '../../base/input/instant.ts';
import type { AdminDeps } from '../request/deps.ts';
import { actorOf } from '../request/request.ts';

const readMove = reader(ClockMove);

/** `GET` and `PUT /test-clock`. They exist only if the test clock is enabled (D-114). */
export function clockRoutes(app: FastifyInstance, deps: AdminDeps, testClock: TestClock): void {
  const reading = async () => {
    const { now, offset_ms } = await testClock.read();
    return { now: rfc3339(now), offset_seconds: offset_ms / 1_000 };
  };

  app.get('/test-clock', reading);

  app.put('/test-clock', async (request) => {
    const target = targetOf(readMove(request.body));
    const act = { actor: actorOf(request), action: 'test-clock.move' };
    await runAudited(deps, act, async (tx) => {
      const { before_ms, after_ms } = await testClock.move(tx, target);
      const real = deps.clock.real();
      const at = (offset_ms: number) => ({
        now: rfc3339(later(real, offset_ms)),
        offset_seconds: offset_ms / 1_000,
      });
      return { target: 'test-clock', before: at(before_ms), after: at(after_ms) };
    });
    // Reading applies the stored clock, so that this process has moved before it answers.
    return reading();
  });
}

function targetOf({ now, advance_seconds }: ClockMove): ClockTarget {
  if ((now === undefined) === (advance_seconds === undefined)) {
    throw invalid('now', 'Send either now or advance_seconds.');
  }
  if (advance_seconds !== undefined) return { advance_seconds };
  return { now: readInstant('now', now ?? '') };
}
