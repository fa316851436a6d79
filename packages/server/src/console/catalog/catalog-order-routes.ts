import { FulfilCatalogOrder } from '@paydesk/contract';
import type { FastifyInstance } from 'fastify';
import {
  type CatalogOrder,
  type CatalogState,
  listSoldOrders,
  readSoldOrder,
  readTradeNo,
} from '../../catalog/orders/index.ts';
import { fulfilOrder } from '../../catalog/fulfilment/index.ts';
import { reader } from '../../base/input/decode.ts';
import { invalid } from '../../base/errors.ts';
import { parseJson } from '../../base/input/json.ts';
import { pageOf, readPageRequest } from '../../base/input/list-page.ts';
import { type SoldOrder, soldOrderColumns } from './catalog-order-csv.ts';
import { soldOrderJson } from './catalog-order-json.ts';
import { selectSettledAt } from '../../ledger/books/index.ts';
import { listRoutes } from '../../http/lists/list-routes.ts';
import { changeAsMember } from '../request/as-member.ts';
import type { ConsoleDeps } from '../request/deps.ts';
import { exportLimit } from '../../http/lists/export-limit.ts';
import { actorOf, type ByMerchant, type Listing, memberOf, type Request } from '../request/member.ts';

const readFulfilment = reader(FulfilCatalogOrder);

const mostNoteBytes = 2_000;

interface ByOrder {
  Params: ByMerchant['Params'] & { order_no: string };
}

/** The states of each status in the contract. */
const statesOf: ReadonlyMap<unknown, readonly CatalogState[]> = new Map([
  ['0', ['pending', 'review']],
  ['1', ['paid']],
  ['2', ['cancelled']],
  ['3', ['completed']],
]);

/** A merchant's catalog orders, and their delivery by hand (D-177). */
export function catalogOrderRoutes(app: FastifyInstance, deps: ConsoleDeps): void {
  const load = async (request: Request, query: Listing['Querystring']) => {
    const { merchant_id } = memberOf(request).merchant;
    const { limit, after } = readPageRequest(query);
    const states = readStatus(query.status);
    const orders = await listSoldOrders(deps, merchant_id, states, after, limit + 1);
    return pageOf(
      await shown(deps, merchant_id, orders),
      limit,
      ({ order_no }) => order_no,
      (order) => order,
    );
  };
  listRoutes<ByMerchant & Listing, SoldOrder>(app, '/catalog-orders', load, {
    columns: soldOrderColumns,
    admit: exportLimit({ ...deps, actorOf }),
  });

  app.get<ByOrder>('/catalog-orders/:order_no', async (request) => {
    const { merchant_id } = memberOf(request).merchant;
    const order = await readSoldOrder(deps, merchant_id, request.params.order_no);
    return (await shown(deps, merchant_id, [order]))[0];
  });

  app.post<ByOrder>('/catalog-orders/:order_no/fulfilment', { config: { body: 'raw' } }, async (request) => {
    const { actor, merchant } = memberOf(request);
    const { merchant_id } = merchant;
    const { order_no } = request.params;
    const note = readNote(request.body as Buffer);
    const act = { actor, action: 'catalog-order.fulfil' };
    const { answer } = await changeAsMember(deps, request, act, async (tx) => {
      const { before, after } = await fulfilOrder(deps, tx, { merchant_id, order_no }, note);
      return {
        target: `order:${order_no}`,
        before: { state: before.state },
        // The note is for the buyer only.
        after: { state: after.state, with_note: note !== '' },
        answer: after,
      };
    });
    return (await shown(deps, merchant_id, [answer]))[0];
  });
}

/** Orders of a merchant as JSON, each with its trade number and the time at which its payment was booked. */
async function shown(
  { db }: Pick<ConsoleDeps, 'db'>,
  merchant_id: string,
  orders: readonly CatalogOrder[],
): Promise<SoldOrder[]> {
  const booked = await selectSettledAt(
    db,
    merchant_id,
    orders.map(({ order_no }) => order_no),
  );
  return Promise.all(
    orders.map(async (order) =>
      soldOrderJson(order, await readTradeNo({ db }, order), booked.get(order.order_no) ?? null),
    ),
  );
}

/** Reads the note for the buyer. The body may be empty. */
function readNote(body: Buffer): string {
  const note = body.length === 0 ? '' : (readFulfilment(parseJson(body)).note ?? '').trim();
  if (Buffer.byteLength(note, 'utf8') > mostNoteBytes) {
    throw invalid('note', `note must have at most ${mostNoteBytes} bytes.`);
  }
  return note;
}

function readStatus(status: unknown): readonly CatalogState[] {
  if (status === undefined) return [];
  const states = statesOf.get(status);
  if (states === undefined) throw invalid('status', 'status must be 0, 1, 2 or 3.');
  return states;
}
