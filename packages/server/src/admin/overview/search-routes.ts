import type { FastifyInstance } from 'fastify';
import { invalid } from '../../base/errors.ts';
import { lowestUuid, merchantIdOf, merchantNo } from '../../base/ids.ts';
import { isUuid } from '../../base/input/decode.ts';
import { formatMinor } from '../../base/money.ts';
import { isCatalogOrderNo, selectCatalogOrderByNo } from '../../catalog/orders/index.ts';
import { findProducts } from '../../catalog/products/index.ts';
import { selectArchivePlaces } from '../../collection/archiving/index.ts';
import { listOrderPage } from '../../collection/reading/index.ts';
import { selectPeopleNamed, selectPerson } from '../../identity/people/index.ts';
import { selectMerchants } from '../../merchants/index.ts';
import { isNotificationId } from '../../notifications/events/index.ts';
import { selectOrderOfEvent } from '../../notifications/delivery-records/index.ts';
import { findRequests } from '../../requests/index.ts';
import type { AdminDeps } from '../request/deps.ts';
import type { Listing } from '../request/request.ts';

const most = 6;
/** Parts of references and numbers are searched in this many orders; whole ones in all. */
const newest = 10_000;

/** Something that a search has found. */
interface Found {
  kind: 'order' | 'catalog_order' | 'event' | 'product' | 'merchant' | 'person' | 'request';
  id: string;
  title: string;
  about: string;
  status?: string;
  at?: string;
  merchant_no?: string;
}

/** `GET /search`: finds a text in the names and numbers of the whole platform (D-325, D-334). */
export function searchRoutes(app: FastifyInstance, deps: AdminDeps): void {
  app.get<Listing>('/search', async ({ query: { q } }) => {
    const text = typeof q === 'string' ? q.trim() : '';
    if (text.length < 2 || text.length > 200) throw invalid('q', 'q must be a text of 2 to 200 characters.');
    const found = await Promise.all([
      ordersWith(deps, text),
      catalogOrder(deps, text),
      orderOfEvent(deps, text),
      merchantsWith(deps, text),
      peopleWith(deps, text),
      productsWith(deps, text),
      findRequests(deps.db, null, text, most),
    ]);
    return { items: found.flat() };
  });
}

async function ordersWith(deps: AdminDeps, text: string): Promise<Found[]> {
  const { items } = await listOrderPage(deps, null, { q: text, limit: String(most) }, newest);
  const places = new Map((await selectArchivePlaces(deps.db, items)).map((one) => [one.order_no, one.file]));
  return items.map(({ order_no, external_reference, amount_minor, currency, currency_decimals, status }) => {
    const about = `${formatMinor(amount_minor, currency_decimals)} ${currency} · ${order_no}`;
    const file = places.get(order_no);
    return {
      ...{ kind: 'order', id: order_no, title: external_reference },
      about: file === undefined ? about : `${about} · ${file}`,
      status,
    };
  });
}

async function catalogOrder({ db }: AdminDeps, text: string): Promise<Found[]> {
  const order = isCatalogOrderNo(text) ? await selectCatalogOrderByNo(db, text) : null;
  if (order === null) return [];
  return [{ kind: 'catalog_order', id: order.order_no, title: order.title, about: order.order_no }];
}

async function orderOfEvent({ db }: AdminDeps, text: string): Promise<Found[]> {
  const found = isNotificationId(text) ? await selectOrderOfEvent(db, null, text) : null;
  return found === null ? [] : [{ kind: 'event', id: found.order_no, title: text, about: found.order_no }];
}

async function merchantsWith({ db }: AdminDeps, text: string): Promise<Found[]> {
  const filter = { text, merchant_id: merchantIdOf(text), status: null, owner_user_id: null };
  const merchants = await selectMerchants(db, lowestUuid, most, filter);
  return merchants.map(({ merchant_id, name }) => {
    return { kind: 'merchant', id: merchantNo(merchant_id), title: name, about: merchantNo(merchant_id) };
  });
}

async function peopleWith({ db }: AdminDeps, text: string): Promise<Found[]> {
  const people = isUuid(text) ? [await selectPerson(db, text)] : await selectPeopleNamed(db, text, most);
  return people
    .flatMap((person) => person ?? [])
    .map(({ user_id, name, email }) => ({ kind: 'person', id: user_id, title: name, about: email }));
}

async function productsWith({ db }: AdminDeps, text: string): Promise<Found[]> {
  const products = await findProducts(db, text, most);
  return products.map(({ merchant_id, gd_no, gd_name }) => ({
    kind: 'product',
    id: gd_no,
    title: gd_name,
    about: gd_no,
    merchant_no: merchantNo(merchant_id),
  }));
}
