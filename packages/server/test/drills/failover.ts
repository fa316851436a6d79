import { setTimeout as pause } from 'node:timers/promises';
import { type DatabasePair, urlOf } from '../chaos/database-pair.ts';
import type { History } from '../chaos/history.ts';
import { openProxy, type Proxy } from '../chaos/proxy.ts';
import type { Drill } from './drill.ts';
import { hasFailed, runUnderLoad } from './load.ts';

/** How long the tools that promote a standby need to be sure that the primary is gone. */
const detection_ms = 2_000;

/**
 * The primary database is killed under load and the synchronous standby is promoted. Answers may be 503 for ten seconds;
 * nothing else may fail (H-25). One process is behind a proxy that leads to the primary and cuts sessions when that changes;
 * the others know both servers.
 */
export const drill: Drill = {
  name: 'failover',
  bars: { longest_outage_ms: 10_000 },
  async run(options) {
    let proxy: Proxy | null = null;
    const environmentOf = async (
      name: string,
      _: unknown,
      pair: DatabasePair,
    ): Promise<Record<string, string>> => {
      if (name !== 'web-2') return {};
      proxy = await openProxy(() => pair.primary().port);
      return { DATABASE_URL: urlOf(proxy.port) };
    };
    try {
      const desk = { webs: 2, workers: 1, environmentOf };
      const { result, history } = await runUnderLoad(options, { desk }, async ({ desk: { database } }) => {
        options.log('the primary is killed, the standby is promoted');
        await database.kill(database.primary());
        await pause(detection_ms);
        await database.promote();
        proxy?.drop();
      });
      return { ...result, problems: [...(result.problems ?? []), ...otherFailures(history).slice(0, 20)] };
    } finally {
      await (proxy as Proxy | null)?.close();
    }
  },
};

/** Requests that failed otherwise than with 503, in words. */
const otherFailures = ({ calls }: History): string[] =>
  calls
    .filter((call) => hasFailed(call) && call.status !== 503)
    .map(({ kind, status, error }) => {
      const answer = status === 0 ? 'nothing' : `${status} ${error}`;
      return `${kind} was answered with ${answer}`;
    });
