import type { ConsoleDeps } from './deps.ts';
import { memberOf, type Request } from './member.ts';

/** Counts a whole list that somebody takes as a file. Throws `rate_limited` where it is one too many. */
export const exportLimit =
  ({ limits }: Pick<ConsoleDeps, 'limits'>) =>
  (request: Request): Promise<void> =>
    limits.take('exports', memberOf(request).actor);
