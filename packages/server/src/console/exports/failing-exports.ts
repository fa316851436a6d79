/** Which scheduled exports fail, for a merchant and for the platform. */
import type { Queryable } from '../../base/pg/index.ts';
import { rfc3339 } from '../../base/time/clock.ts';
import { failingSince } from './statement-export.ts';
import { selectDeliveries, selectExports, selectFailingExports } from './statement-export.sql.ts';

/** The most deliveries that are read of each export: they are kept for 90 days. */
export const mostRead = 500;

/** The exports of a merchant with a recipient who gets nothing, for the home screen (D-382). Paused ones are not among them. */
export async function failingExports(db: Queryable, merchant_id: string) {
  const running = (await selectExports(db, merchant_id)).filter(({ next_at }) => next_at !== null);
  const failing = await Promise.all(
    running.map(async (of) => {
      const since = failingSince(of, await selectDeliveries(db, of, mostRead));
      const { export_id, frequency } = of;
      return since === null ? [] : [{ export_id, frequency, failing_since: rfc3339(since) }];
    }),
  );
  return failing.flat();
}

/** The same of all merchants, for the platform's alarm (D-391): at most 100, the longest failing first. */
export const failingExportsOfAll = (db: Queryable) => selectFailingExports(db, 100);
