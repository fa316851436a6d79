/** Answers requests while the traffic is held. */
import type { FastifyInstance } from 'fastify';
import { AppError } from '../base/errors.ts';
import type { Hold, TrafficHold } from '../base/traffic/traffic-hold.ts';
import { rfc3339 } from '../base/time/clock.ts';

/** What operators ask while traffic is held. */
const always: readonly string[] = ['/healthz', '/readyz', '/metrics'];
const retryAfter_s = 30;

export const heldWords = ({ held_at, reason }: Hold): string =>
  `traffic is held since ${rfc3339(held_at)}: ${reason}`;

/**
 * Answers 503 with Retry-After to everything but health and metrics while `paydesk after-restore` holds the traffic. Card
 * providers repeat their webhooks after it.
 */
export function refuseWhileHeld(app: FastifyInstance, hold: TrafficHold): void {
  app.addHook('onRequest', (request, _reply, done) => {
    const held = hold.current();
    if (held === null || always.includes(request.url.split('?', 1)[0] ?? '')) {
      done();
      return;
    }
    done(
      new AppError('service_unavailable', {
        description: 'The service is being put in order after a restore. Try again later.',
        retry_after_s: retryAfter_s,
      }),
    );
  });
}
