import type { FastifyInstance } from 'fastify';
import { invalid } from '../../base/errors.ts';
import { listManagedProducts } from '../../catalog/products/index.ts';
import { listOrderPage } from '../../collection/reading/index.ts';
import { formatMinor } from '../../base/money.ts';
import type { CollectionOrder } from '../../collection/orders/index.ts';
import { selectPerson } from '../../identity/people/index.ts';
import { listMembers, type Merchant } from '../../merchants/index.ts';
import { isNotificationId } from '../../notifications/events/index.ts';
import { selectOrderOfEvent } from '../../notifications/delivery-records/index.ts';
import { findRequests } from '../../requests/index.ts';
import type { ConsoleDeps } from '../request/deps.ts';
import { type ByMerchant, type Listing, memberOf } from '../request/member.ts';

const most = 6;
/** Parts of numbers are searched in this many orders; whole numbers in all. */
const newest = 10_000;

/** Something that a search has found. */
interface Found {
  kind: 'order' | 'event' | 'product' | 'person' | 'request';
  id: string;
  title: string;
  about: string;
  status?: string;
  at?: string;
  merchant_no?: string;
}

/** `GET /search`: finds a text in the names and numbers of this merchant (D-227), also of events (D-325). */
export function searchRoutes(app: FastifyInstance, deps: ConsoleDeps): void {
  app.get<ByMerchant & Listing>('/search', async (request) => {
    const { merchant } = memberOf(request);
    const { q } = request.query;
    const text = typeof q === 'string' ? q.trim() : '';
    if (text.length < 2 || text.length > 200) throw invalid('q', 'q must be a text of 2 to 200 characters.');
    const found = await Promise.all([
      ordersWith(deps, merchant.merchant_id, text),
      orderOfEvent(deps, merchant.merchant_id, text),
      productsWith(deps, merchant.merchant_id, text),
      peopleWith(deps, merchant, text),
      findRequests(deps.db, merchant.merchant_id, text, 1),
    ]);
    return { items: found.flat() };
  });
}

async function ordersWith(deps: ConsoleDeps, merchant_id: string, text: string): Promise<Found[]> {
  const { items } = await listOrderPage(deps, merchant_id, { q: text, limit: String(most) }, newest);
  return items.map((order) => {
    const { order_no, external_reference, status } = order;
    return { kind: 'order', id: order_no, title: external_reference, about: aboutOrder(order), status };
  });
}

async function orderOfEvent({ db }: ConsoleDeps, merchant_id: string, text: string): Promise<Found[]> {
  const found = isNotificationId(text) ? await selectOrderOfEvent(db, merchant_id, text) : null;
  return found === null ? [] : [{ kind: 'event', id: found.order_no, title: text, about: found.order_no }];
}

const aboutOrder = ({ amount_minor, currency, currency_decimals, order_no }: CollectionOrder): string =>
  `${formatMinor(amount_minor, currency_decimals)} ${currency} · ${order_no}`;

async function productsWith(deps: ConsoleDeps, merchant_id: string, search: string): Promise<Found[]> {
  const { items } = await listManagedProducts(deps, merchant_id, { search, limit: String(most) });
  return items.map(({ gd_no, gd_name }) => ({ kind: 'product', id: gd_no, title: gd_name, about: gd_no }));
}

async function peopleWith({ db }: ConsoleDeps, merchant: Merchant, text: string): Promise<Found[]> {
  const members = await listMembers(db, merchant.merchant_id);
  const ids = [merchant.owner_user_id, ...members.map(({ user_id }) => user_id)];
  const people = await Promise.all(ids.map((user_id) => selectPerson(db.lookups, user_id)));
  const wanted = text.toLowerCase();
  return people
    .flatMap((person) => person ?? [])
    .filter(({ name, email }) => `${name}\n${email}`.toLowerCase().includes(wanted))
    .slice(0, most)
    .map(({ user_id, name, email }) => ({ kind: 'person', id: user_id, title: name, about: email }));
}
