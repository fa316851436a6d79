/** The payment provider of Medusa: it collects with Paydesk, and believes only what Paydesk says. */
import { AbstractPaymentProvider, MedusaError } from '@medusajs/framework/utils';
import { createClient, isPaid, sameAmount, verifyNotification } from '@paydesk/sdk';
import type { CollectionOrder, CreatedOrder, HeaderSource, PaydeskClient } from '@paydesk/sdk';
import { collect, readNotified } from '@paydesk/sdk/shop';
import { decimalOf } from './amounts.ts';
import { checkOptions, type PaydeskOptions } from './options.ts';

type Data = Record<string, unknown>;
type Input = { data?: Data };
type AmountInput = Input & { amount: unknown; currency_code: string };
type Status = 'captured' | 'pending';

/** Medusa's own service, in whose container providers live. */
interface Sessions {
  retrieve(id: string, config: { select: string[] }): Promise<{ payment_collection_id: string }>;
}

interface Payments {
  list(
    filters: { payment_collection_id: string },
    config: { select: string[] },
  ): Promise<{ id: string; data: Data | null; captured_at: unknown }[]>;
}

/** A notification whose signature is right, and the state of its order as read from Paydesk. */
export interface Received {
  action: 'not_supported';
  /** Undefined if the notification was refused; null for a test event, whose order does not exist. */
  order?: CollectionOrder | null;
  refused?: string;
  accept_test_mode: boolean;
}

export class PaydeskPaymentProvider extends AbstractPaymentProvider<PaydeskOptions> {
  static override identifier = 'paydesk';
  readonly #options: PaydeskOptions;
  readonly #client: PaydeskClient;

  static override validateOptions(options: Data): void {
    checkOptions(options);
  }

  constructor(container: Record<string, unknown>, options: PaydeskOptions) {
    super(container, options);
    this.#options = options;
    const { base_url, client_id, client_secret } = options;
    this.#client = createClient({ base_url, client_id, client_secret });
  }

  /** Begins or continues the payment of a cart: `data.checkout_url` is for the buyer's browser. */
  async initiatePayment(input: AmountInput): Promise<{ id: string; data: Data }> {
    const data = await this.#collect(input);
    return { id: String(data['order_no']), data };
  }

  async updatePayment(input: AmountInput): Promise<{ data: Data }> {
    return { data: await this.#collect(input) };
  }

  /** Medusa drops a session; a payment of its checkout is still noticed. Nothing can be cancelled at Paydesk. */
  async deletePayment({ data = {} }: Input): Promise<{ data: Data }> {
    return Promise.resolve({ data });
  }

  async cancelPayment({ data = {} }: Input): Promise<{ data: Data }> {
    return Promise.resolve({ data });
  }

  /**
   * `captured` once Paydesk says that exactly this was paid; `pending` before. Medusa asks only for sessions without a payment:
   * the payment of a completion that failed may be booked through an earlier session, and is not booked again (D-339).
   */
  async authorizePayment({ data = {} }: Input): Promise<{ status: Status; data: Data }> {
    const state = await this.getPaymentStatus({ data });
    const payments = this.container['paymentService'] as Payments;
    const known = await payments.list(
      { payment_collection_id: String(data['reference']) },
      { select: ['id', 'data', 'captured_at'] },
    );
    const { event_id, order_no } = state.data;
    const booked = known.find((one) => one.captured_at !== null && one.data?.['event_id'] === event_id);
    if (state.status === 'captured' && booked !== undefined) {
      throw new MedusaError(
        MedusaError.Types.NOT_ALLOWED,
        `${String(order_no)} is paid and booked as ${booked.id}, but its cart has not become an order. The shop's people have been told.`,
      );
    }
    return state;
  }

  async getPaymentStatus({ data = {} }: Input): Promise<{ status: Status; data: Data }> {
    const order = await this.#read(data);
    const status = this.#statusOf(order, data);
    const { event_id, status: paydesk_status, status_version } = order;
    return { status, data: { ...data, status: paydesk_status, status_version, event_id } };
  }

  /** Paydesk captures with the payment. */
  async capturePayment({ data = {} }: Input): Promise<{ data: Data }> {
    return Promise.resolve({ data });
  }

  async retrievePayment({ data = {} }: Input): Promise<{ data: Data }> {
    const { status, status_version } = await this.#read(data);
    return { data: { ...data, status, status_version } };
  }

  /** Merchants cannot refund: it succeeds only where the platform has refunded, in whole (D-368). */
  async refundPayment({ amount, data = {} }: Input & { amount: unknown }): Promise<{ data: Data }> {
    const order = await this.#read(data);
    if (order.status !== 'refunded' || !sameAmount(decimalOf(amount), order.amount)) {
      throw new MedusaError(
        MedusaError.Types.NOT_ALLOWED,
        `Payments by Paydesk are refunded by the operator of Paydesk: ask there for a refund of ${order.order_no}. The refund appears here by itself.`,
      );
    }
    const { status, status_version } = order;
    return { data: { ...data, status, status_version } };
  }

  /** Verifies a notification and reads its order. The route of this package does the rest. */
  async getWebhookActionAndData(payload: {
    rawData: string | Uint8Array;
    headers: Record<string, unknown>;
  }): Promise<Received> {
    const { notify_secret, accept_test_mode = false } = this.#options;
    const result = verifyNotification({
      headers: payload.headers as HeaderSource,
      raw_body: payload.rawData,
      secrets: notify_secret.trim().split(/\s+/),
    });
    const action = 'not_supported';
    if (!result.ok) return { action, accept_test_mode, refused: `${result.reason} (${result.detail})` };
    const order = await readNotified(this.#client, result.notification);
    return { action, accept_test_mode, order };
  }

  async #collect({ amount, currency_code, data = {} }: AmountInput): Promise<Data> {
    const { payment_no, return_url, expires_in, base_url, accept_test_mode = false } = this.#options;
    const reference = await this.#referenceOf(data);
    const due = decimalOf(amount);
    const currency = currency_code.toUpperCase();
    const order: CreatedOrder = await collect(this.#client, {
      external_reference: reference,
      amount: due,
      currency,
      payment_no,
      return_url: return_url?.replaceAll('{reference}', encodeURIComponent(reference)),
      expires_in,
      accept_test_mode,
    });
    const { order_no, checkout_url, status, expires_at } = order;
    const embed_script = `${base_url.replace(/\/+$/, '')}/embed/v1.js`;
    return {
      reference,
      order_no,
      checkout_url,
      embed_script,
      // What this session needs. An earlier order whose outcome is open can be of another price, and must not pay it.
      amount: sameAmount(order.amount, due) ? order.amount : due,
      currency,
      status,
      expires_at,
    };
  }

  /**
   * The payment collection of a session: one for each cart, while sessions come and go with each new price. It is read in
   * Medusa, not taken from the storefront.
   */
  async #referenceOf(data: Data): Promise<string> {
    const session_id = data['session_id'];
    if (typeof session_id !== 'string') return String(data['reference']);
    const sessions = this.container['paymentSessionService'] as Sessions;
    const { payment_collection_id } = await sessions.retrieve(session_id, {
      select: ['payment_collection_id'],
    });
    return payment_collection_id;
  }

  #read(data: Data): Promise<CollectionOrder> {
    return this.#client.getOrder(String(data['order_no']));
  }

  #statusOf(order: CollectionOrder, data: Data): Status {
    const isThis =
      order.external_reference === data['reference'] &&
      order.currency === data['currency'] &&
      sameAmount(order.amount, String(data['amount']));
    const isAccepted = !order.test_mode || this.#options.accept_test_mode === true;
    return isPaid(order) && isThis && isAccepted ? 'captured' : 'pending';
  }
}
