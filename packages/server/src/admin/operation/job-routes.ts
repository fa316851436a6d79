import type { FastifyInstance } from 'fastify';
import { runAudited } from '../../base/audit/index.ts';
import { AppError } from '../../base/errors.ts';
import type { AdminDeps } from '../request/deps.ts';
import { actorOf, type ByJob } from '../request/request.ts';

/** `POST /jobs/{name}/run`: runs one pass of a background job now, and returns the number of items processed. */
export function jobRoutes(app: FastifyInstance, deps: AdminDeps): void {
  const jobs = new Map(Object.entries(deps.jobs));

  app.post<ByJob>('/jobs/:name/run', { config: { body: 'ignored' } }, async (request) => {
    const { name } = request.params;
    const job = jobs.get(name);
    if (job === undefined) throw new AppError('not_found');
    const processed = await job();
    const act = { actor: actorOf(request), action: 'job.run' };
    await runAudited(deps, act, () =>
      Promise.resolve({ target: `job:${name}`, before: null, after: { processed } }),
    );
    return { processed };
  });
}
