/** Brings the state of a collection order into the books of Vendure: once, however many notifications and look-ups report it. */
import { Inject, Injectable } from '@nestjs/common';
import {
  ConfigService,
  HistoryService,
  isGraphQlErrorResult,
  Logger,
  Order,
  OrderService,
  Payment,
  TransactionalConnection,
  type RequestContext,
} from '@vendure/core';
import type { CollectionOrder } from '@paydesk/sdk';
import { confirmedPayments, confirmedRefunds } from './confirmed.ts';
import { decide, type Decision, type ShopOrder } from './decide.ts';
import { bigintOf, numberOf } from './money.ts';
import type { Settings } from './settings.ts';

const isVoid = new Set(['Error', 'Declined', 'Cancelled']);

@Injectable()
export class PaydeskBooks {
  readonly #connection: TransactionalConnection;
  readonly #orders: OrderService;
  readonly #history: HistoryService;
  readonly #config: ConfigService;

  constructor(
    @Inject(TransactionalConnection) connection: TransactionalConnection,
    @Inject(OrderService) orders: OrderService,
    @Inject(HistoryService) history: HistoryService,
    @Inject(ConfigService) config: ConfigService,
  ) {
    this.#connection = connection;
    this.#orders = orders;
    this.#history = history;
    this.#config = config;
  }

  /** The digits after the point that this shop keeps, for all currencies. */
  get decimals(): number {
    return this.#config.entityOptions.moneyStrategy.precision ?? 2;
  }

  /** What an order has yet to pay, in the shop's smallest units. */
  dueOf(order: Order): bigint {
    const covered = order.payments
      .filter(({ state }) => !isVoid.has(state))
      .map(({ amount, refunds }) => bigintOf(amount) - refundedOf(refunds))
      .reduce((sum, one) => sum + one, 0n);
    return bigintOf(order.totalWithTax) - covered;
  }

  /** The order with its payments and refunds. */
  read(ctx: RequestContext, id: Order['id']): Promise<Order> {
    const relations = ['payments', 'payments.refunds'];
    return this.#connection.getRepository(ctx, Order).findOneOrFail({ where: { id }, relations });
  }

  /**
   * Takes in what Paydesk says. The order's row is locked meanwhile, so that two notifications, or a notification and a
   * buyer who returns, book one payment (D-367).
   *
   * @param method the code of the payment method
   * @param state read from Paydesk
   * @returns what was done; null if this shop has no such order
   * @throws {Error} if Vendure refuses a refund, so that it is tried again
   */
  async apply(
    ctx: RequestContext,
    method: string,
    settings: Settings,
    state: CollectionOrder,
  ): Promise<Decision['action'] | null> {
    const found = await this.#orders.findOneByCode(ctx, state.external_reference);
    if (found === undefined) return null;
    const { action, refusal } = await this.#connection.withTransaction(ctx, async (tx) => {
      await this.#lock(tx, found.id);
      const order = await this.read(tx, found.id);
      const payment = order.payments.find(
        (one) => one.method === method && one.transactionId === state.event_id,
      );
      const { accept_test_mode } = settings;
      const decision = decide(state, this.#shopOrder(order, payment), {
        decimals: this.decimals,
        accept_test_mode,
      });
      let refusal: string | null = null;
      if (decision.action === 'settle') await this.#settle(tx, order, method, state, decision);
      else if (decision.action === 'note') await this.#note(tx, order, decision.text);
      else if (decision.action === 'refund' && payment !== undefined)
        refusal = await this.#refund(tx, order, payment, state);
      if (payment !== undefined && decision.action !== 'none' && refusal === null)
        await this.#remember(tx, payment, state);
      return { action: decision.action, refusal };
    });
    if (refusal !== null) throw new Error(`the refund was not booked: ${refusal}`);
    return action;
  }

  #shopOrder(order: Order, payment: Payment | undefined): ShopOrder {
    const { code, currencyCode, state } = order;
    return {
      code,
      currency: currencyCode,
      state,
      due: this.dueOf(order),
      booked: payment && {
        amount: bigintOf(payment.amount),
        status_version: Number(payment.metadata['status_version']),
        event_id: payment.transactionId,
      },
    };
  }

  async #lock(tx: RequestContext, id: Order['id']): Promise<void> {
    await this.#connection
      .getRepository(tx, Order)
      .createQueryBuilder('o')
      .select('o.id')
      .where('o.id = :id', { id })
      .setLock('pessimistic_write')
      .getRawOne();
  }

  async #settle(
    tx: RequestContext,
    order: Order,
    method: string,
    state: CollectionOrder,
    { amount, event_id }: { amount: bigint; event_id: string },
  ): Promise<void> {
    const failed = async (result: object): Promise<boolean> => {
      const { message = '' } = result as { message?: string };
      if (!isGraphQlErrorResult(result)) return false;
      const text = `Paydesk received ${state.amount} ${state.currency} for this order (${state.order_no}), but the shop refused the payment: ${message}. Book it by hand, or ask the operator of Paydesk to refund ${state.order_no}.`;
      await this.#note(tx, order, text);
      return true;
    };
    if (order.state === 'AddingItems') {
      if (await failed(await this.#orders.transitionToState(tx, order.id, 'ArrangingPayment'))) return;
    }
    const metadata = {};
    confirmedPayments.set(metadata, { state, amount, event_id });
    await failed(await this.#orders.addPaymentToOrder(tx, order.id, { method, metadata }));
  }

  /** Books the platform's refund: always of the whole payment. Gives why Vendure refuses it, which is told (D-1294), or null. */
  async #refund(
    tx: RequestContext,
    order: Order,
    payment: Payment,
    state: CollectionOrder,
  ): Promise<string | null> {
    const amount = numberOf(bigintOf(payment.amount) - refundedOf(payment.refunds));
    if (amount <= 0) return null;
    const reason = 'Refunded by the operator of Paydesk';
    const input = { paymentId: payment.id, amount, reason, lines: [], shipping: 0, adjustment: 0 };
    confirmedRefunds.set(input, state);
    const result = await this.#orders.refundOrder(tx, input);
    if (!isGraphQlErrorResult(result)) return null;
    const text = `Paydesk: the payment of ${state.amount} ${state.currency} (${state.order_no}) was refunded, but the shop refuses to book the refund: ${result.message}. It is tried again for a day. If it is not there then, correct the order by hand.`;
    await this.#note(tx, order, text);
    return result.message;
  }

  async #remember(tx: RequestContext, payment: Payment, state: CollectionOrder): Promise<void> {
    const { status, status_version } = state;
    const changed: object = { metadata: { ...payment.metadata, status, status_version } };
    await this.#connection.getRepository(tx, Payment).update(payment.id, changed);
  }

  /** Tells the shop's people, once. Buyers do not see it. */
  async #note(tx: RequestContext, order: Order, text: string): Promise<void> {
    const filter = { type: { eq: 'ORDER_NOTE' } };
    const { items } = await this.#history.getHistoryForOrder(tx, order.id, false, { filter });
    if (items.some(({ data }) => (data as { note?: string }).note === text)) return;
    Logger.error(`${order.code}: ${text}`, 'Paydesk');
    await this.#orders.addNoteToOrder(tx, { id: order.id, note: text, isPublic: false });
  }
}

function refundedOf(refunds: readonly { total: number; state: string }[]): bigint {
  return refunds
    .filter(({ state }) => state === 'Settled')
    .reduce((sum, { total }) => sum + bigintOf(Math.abs(total)), 0n);
}
