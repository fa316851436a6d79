/** Connects orders of Vendure with collection orders of Paydesk. */
import { Inject, Injectable } from '@nestjs/common';
import { PaymentMethodService, UserInputError, type Order, type RequestContext } from '@vendure/core';
import { createClient, isPaid, type Notification, type PaydeskClient } from '@paydesk/sdk';
import { collect, decimalOfMinor, ordersOf, readNotified } from '@paydesk/sdk/shop';
import { PaydeskBooks } from './books.ts';
import { readSettings, type Settings } from './settings.ts';

/** Where a buyer pays. */
export interface Checkout {
  orderNo: string;
  checkoutUrl: string;
  /** Of the collection order: `pending`, or `paid` if nothing is left to pay. */
  status: string;
  /** A decimal string. */
  amount: string;
  currency: string;
  /** RFC 3339. */
  expiresAt: string;
  /** The script that shows the checkout in a page. */
  embedScript: string;
}

@Injectable()
export class PaydeskService {
  readonly #methods: PaymentMethodService;
  readonly #books: PaydeskBooks;
  readonly #clients = new Map<string, PaydeskClient>();

  constructor(
    @Inject(PaymentMethodService) methods: PaymentMethodService,
    @Inject(PaydeskBooks) books: PaydeskBooks,
  ) {
    this.#methods = methods;
    this.#books = books;
  }

  /**
   * The settings of a payment method of this channel.
   *
   * @throws UserInputError if there is none, if it is disabled or if it is no method of Paydesk
   */
  async settingsOf(ctx: RequestContext, method: string): Promise<Settings> {
    const { paymentMethod, handler } = await this.#methods.getMethodAndOperations(ctx, method);
    if (handler.code !== 'paydesk') throw new UserInputError(`${method} is no payment method of Paydesk.`);
    return readSettings(paymentMethod.handler.args);
  }

  /**
   * Where this order is paid now: the same collection order as before, as long as it fits (D-365).
   *
   * @throws UserInputError if the order is not ready to be paid
   */
  async checkout(ctx: RequestContext, active: Order, method: string): Promise<Checkout> {
    const settings = await this.settingsOf(ctx, method);
    const order = await this.#books.read(ctx, active.id);
    const due = this.#books.dueOf(order);
    if (!/^Arranging(Additional)?Payment$/.test(order.state))
      throw new UserInputError(
        `The order is in the state ${order.state}: bring it to ArrangingPayment first.`,
      );
    if (due <= 0n) throw new UserInputError('The order needs no further payment.');
    const client = this.#clientOf(settings);
    const { payment_no, expires_in, accept_test_mode } = settings;
    const collection = await collect(client, {
      external_reference: order.code,
      amount: decimalOfMinor(due, this.#books.decimals),
      currency: order.currencyCode,
      payment_no,
      expires_in,
      accept_test_mode,
      return_url: settings.return_url.replaceAll('{code}', encodeURIComponent(order.code)),
    });
    // A notification that was lost is not waited for.
    if (isPaid(collection)) {
      const state = await client.getOrder(collection.order_no);
      await this.#books.apply(ctx, method, settings, state);
    }
    return {
      orderNo: collection.order_no,
      checkoutUrl: collection.checkout_url,
      status: collection.status,
      amount: collection.amount,
      currency: collection.currency,
      expiresAt: collection.expires_at,
      embedScript: `${settings.base_url}/embed/v1.js`,
    };
  }

  /**
   * Reads the collection order of a verified notification, whose state can be older than another that is on its way, and
   * takes it into the books.
   */
  async receive(
    ctx: RequestContext,
    method: string,
    settings: Settings,
    notification: Notification,
  ): Promise<void> {
    const state = await readNotified(this.#clientOf(settings), notification);
    if (state !== null) await this.#books.apply(ctx, method, settings, state);
  }

  /** Reads all collection orders of an order of this shop, for a buyer who came back before the notification (D-1388). */
  async check(ctx: RequestContext, order: Order, method: string): Promise<boolean> {
    const settings = await this.settingsOf(ctx, method);
    const known = await ordersOf(this.#clientOf(settings), order.code);
    for (const state of known) await this.#books.apply(ctx, method, settings, state);
    return this.#books.dueOf(await this.#books.read(ctx, order.id)) <= 0n;
  }

  /** One client for each merchant, because a client keeps its token. */
  #clientOf({ base_url, client_id, client_secret }: Settings): PaydeskClient {
    const key = JSON.stringify([base_url, client_id, client_secret]);
    const client = this.#clients.get(key) ?? createClient({ base_url, client_id, client_secret });
    this.#clients.set(key, client);
    return client;
  }
}
