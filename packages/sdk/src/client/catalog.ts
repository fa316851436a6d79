/** The catalog: the merchant’s profile and products, and orders of products for a person. */
import { invalidResponse, pathSegment, type CallOptions, type Send } from './calls.ts';
import type {
  CatalogOrder,
  CatalogPaymentSession,
  CatalogPaymentStatus,
  CreateCatalogOrderInput,
  MerchantProfile,
  Product,
  ProductFilter,
  ProductPage,
} from './catalog-types.ts';
import { type JsonObject, withBigInts } from './exact-json.ts';

/** Calls for a person need the token that the person has authorized. */
export interface UserCallOptions extends CallOptions {
  user_token: string;
}

/** Profile and products need no `user_token`, but take one. */
type OpenOptions = CallOptions & { user_token?: string };

export interface Catalog {
  merchant: (options?: OpenOptions) => Promise<MerchantProfile>;
  /** One page of the products that are for sale, newest first. */
  listProducts: (filter?: ProductFilter & { page?: number }, options?: OpenOptions) => Promise<ProductPage>;
  /** All of them. It reads further pages as the loop needs them. */
  products: (filter?: ProductFilter, options?: OpenOptions) => AsyncGenerator<Product, void, undefined>;
  /**
   * Orders a product for the person. There is no idempotency key, so a request without an answer is not repeated: look
   * before you try again.
   */
  createOrder: (input: CreateCatalogOrderInput, options: UserCallOptions) => Promise<{ order_no: string }>;
  getOrder: (order_no: string, options: UserCallOptions) => Promise<CatalogOrder>;
  /** Starts the payment; PTK may be debited at once. Not repeated without an answer: read `paymentStatus`. */
  startPayment: (
    order_no: string,
    payment_no: string,
    options: UserCallOptions,
  ) => Promise<CatalogPaymentSession>;
  paymentStatus: (order_no: string, options: UserCallOptions) => Promise<CatalogPaymentStatus>;
}

const product_amounts = ['actual_price', 'retail_price'] as const;
const order_amounts = [
  'total_amount',
  'discount_amount',
  'handling_amount',
  'pay_amount',
  'payment_subtotal',
  'payment_handling_amount',
  'payment_pay_amount',
] as const;

/**
 * @param sendOwn sends with the client’s own token
 * @param sendAs sends with a person’s token
 */
export function createCatalog(sendOwn: Send, sendAs: (user_token: string) => Send): Catalog {
  const open = ({ user_token }: OpenOptions): Send =>
    user_token === undefined ? sendOwn : sendAs(user_token);

  const listProducts: Catalog['listProducts'] = async (filter = {}, options = {}) => {
    const { gd_no, search_value, page, limit } = filter;
    const query = { gd_no, search_value, page, limit };
    const answer = await open(options)({ method: 'GET', path: '/openapi/v1/products', query }, options);
    if (!Array.isArray(answer['list'])) throw invalidResponse('the list has no products');
    const list = (answer['list'] as JsonObject[]).map((one) => withBigInts(one, product_amounts));
    return { ...answer, list } as unknown as ProductPage;
  };

  return {
    merchant: async (options = {}) => {
      const answer = await open(options)({ method: 'GET', path: '/openapi/v1/merchant' }, options);
      return expectText(answer, 'merchant_no') as MerchantProfile;
    },
    listProducts,
    async *products(filter = {}, options = {}) {
      for (let page = 1; ; page += 1) {
        const { list, total, limit } = await listProducts({ limit: 100, ...filter, page }, options);
        yield* list;
        if (list.length === 0 || page * limit >= total) return;
      }
    },
    createOrder: async (input, { user_token, ...options }) => {
      const call = { method: 'POST', path: '/openapi/v1/orders', body: input, repeatable: false } as const;
      return expectText(await sendAs(user_token)(call, options), 'order_no') as { order_no: string };
    },
    getOrder: async (order_no, { user_token, ...options }) => {
      const answer = await sendAs(user_token)({ method: 'GET', path: orderPath(order_no) }, options);
      return expectText(withBigInts(answer, order_amounts), 'order_no') as CatalogOrder;
    },
    startPayment: async (order_no, payment_no, { user_token, ...options }) => {
      const path = `${orderPath(order_no)}/payment`;
      const call = { method: 'POST', path, body: { payment_no }, repeatable: false } as const;
      return expectText(await sendAs(user_token)(call, options), 'redirect') as CatalogPaymentSession;
    },
    paymentStatus: async (order_no, { user_token, ...options }) => {
      const path = `${orderPath(order_no)}/payment`;
      const answer = await sendAs(user_token)({ method: 'GET', path }, options);
      if (typeof answer['status'] !== 'number') throw invalidResponse('the payment has no status');
      return answer as unknown as CatalogPaymentStatus;
    },
  };
}

const orderPath = (order_no: string): string => `/openapi/v1/orders/${pathSegment(order_no)}`;

/** Checks a member that callers depend on. */
function expectText(answer: JsonObject, member: string): unknown {
  if (typeof answer[member] !== 'string') throw invalidResponse(`the answer lacks ${member}`);
  return answer;
}
