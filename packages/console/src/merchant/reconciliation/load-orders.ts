/** Loads the orders that a merchant's records are compared with. */
import type { OwnRecord, ReconciledOrder } from '@paydesk/sdk/reconcile';
import { ApiError } from '../../api/api-error.ts';
import { answerOf, api } from '../../api/client.ts';
import { spanOf } from '../../components/list/period.ts';
import { textsOf } from '../../texts/texts.ts';

const t = textsOf('wallet');

/** The number of records in one request. */
const chunk = 500;

/** The orders that the records name, whenever they were created. `onProgress` gets the number loaded so far. */
export async function loadNamed(
  merchant_no: string,
  records: readonly OwnRecord[],
  onProgress: (count: number) => void,
): Promise<ReconciledOrder[]> {
  const orders: ReconciledOrder[] = [];
  onProgress(0);
  for (let at = 0; at < records.length; at += chunk) {
    const some = records.slice(at, at + chunk);
    const body = {
      external_references: fit(
        some.map(({ external_reference }) => external_reference.trim()),
        191,
      ),
      order_nos: fit(
        some.map(({ order_no }) => order_no),
        64,
      ),
      event_ids: fit(
        some.map(({ event_id }) => event_id),
        64,
      ),
    };
    const { items, complete } = await answerOf(
      api.POST('/console/v1/merchants/{merchant_no}/reconciliation', {
        params: { path: { merchant_no } },
        body,
      }),
    );
    if (!complete) {
      throw new ApiError({ status: 200, code: 'incomplete', message: t('there_are_more_orders_than') });
    }
    orders.push(...items);
    onProgress(orders.length);
  }
  return orders;
}

/** The names that an order can have: not empty, and not too long. */
const fit = (names: readonly (string | null | undefined)[], most: number): string[] =>
  names.filter((name) => name != null && name !== '' && name.length <= most) as string[];

/** The orders that were created on these days; none if no days are chosen. */
export async function loadCreated(
  merchant_no: string,
  [from, until]: [string | null, string | null],
  onProgress: (count: number) => void,
): Promise<ReconciledOrder[]> {
  if (from === null || until === null) return [];
  const query = spanOf({ from, until });
  const orders: ReconciledOrder[] = [];
  let cursor: string | undefined;
  do {
    const page = await answerOf(
      api.GET('/console/v1/merchants/{merchant_no}/collection-orders', {
        params: { path: { merchant_no }, query: { ...query, limit: 100, cursor } },
      }),
    );
    orders.push(...page.items);
    onProgress(orders.length);
    cursor = page.next_cursor;
  } while (cursor !== undefined);
  return orders;
}
