/** The order that a buyer tops up the balance for: the page of the top-up leads back to it (D-376). */
import { isCatalogOrderNo, orderPath } from '../../catalog/orders/index.ts';

/** The number of an order, and the method that was chosen; empty where there is only one. */
export interface Behind {
  order_no: string;
  method_id: string;
  /** The PTK that are missing, as the checkout wrote them; empty where nothing was said. */
  need: string;
}

/** What a link or a form names; null for anything that cannot be an order's. */
export function behindIn(parameters: URLSearchParams): Behind | null {
  const order_no = parameters.get('order') ?? '';
  const method_id = parameters.get('method') ?? '';
  if (!/^(mp|co)_[0-9A-HJKMNP-TV-Z]{26}$/.test(order_no)) return null;
  const need = parameters.get('need') ?? '';
  return {
    order_no,
    method_id: /^pm_[\w-]{1,64}$/.test(method_id) ? method_id : '',
    need: /^\d{1,20}(\.\d{1,8})?$/.test(need) ? need : '',
  };
}

/** The page that tops up the balance for an order, in the order's own currency where that is possible (D-690). */
export const topUpPathFor = (base_path: string, order_no: string, currency?: string): string =>
  `${base_path}/account/top-up?order=${order_no}${currency === undefined ? '' : `&currency=${currency}`}`;

/** Says on the way back to an order that the buyer has topped up, or meant to. */
export const fromTopUp = 'top-up';

/**
 * The way back, below the public address. It carries no token: the browser has the token of a collection order, as when
 * the buyer comes back from the provider, and the page of a catalog order needs only a sign-in (D-376).
 */
export function wayBack({ order_no, method_id }: Omit<Behind, 'need'>): string {
  if (isCatalogOrderNo(order_no)) return orderPath(order_no);
  const method = method_id === '' ? '' : `&method=${method_id}`;
  return `/checkout/return/${order_no}?from=${fromTopUp}${method}`;
}

/** The order behind a top-up, by the address that the top-up leads to; null where that is the account. */
export function behindTopUp(return_url: string): Behind | null {
  const { pathname, searchParams } = new URL(return_url);
  const parameters = new URLSearchParams(searchParams);
  parameters.set('order', pathname.split('/').at(-1) ?? '');
  return behindIn(parameters);
}
