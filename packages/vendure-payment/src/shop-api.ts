/** What the storefront calls. */
import { Inject } from '@nestjs/common';
import { Args, Mutation, Resolver } from '@nestjs/graphql';
import {
  ActiveOrderService,
  Allow,
  Ctx,
  OrderService,
  Permission,
  type RequestContext,
  UserInputError,
} from '@vendure/core';
import { gql } from 'graphql-tag';
import { PaydeskService, type Checkout } from './paydesk.service.ts';

export const shopSchema = gql(`
  "Where the buyer pays the active order"
  type PaydeskCheckout {
    "The collection order"
    orderNo: String!
    "Send the buyer's browser here, or open it with the script of embedScript. Do not log it: it holds a token."
    checkoutUrl: String!
    "pending, or paid if the order is paid already"
    status: String!
    "A decimal string"
    amount: String!
    currency: String!
    "RFC 3339"
    expiresAt: String!
    "The script that shows the checkout in your page"
    embedScript: String!
  }
  extend type Mutation {
    "Begins or continues the payment of the active order, which is in the state ArrangingPayment"
    createPaydeskCheckout(paymentMethodCode: String!): PaydeskCheckout!
    "Asks Paydesk about an order, for a page that the buyer returns to; true if the order is paid"
    checkPaydeskPayment(orderCode: String!, paymentMethodCode: String!): Boolean!
  }
`);

@Resolver()
export class PaydeskShopResolver {
  readonly #active: ActiveOrderService;
  readonly #orders: OrderService;
  readonly #paydesk: PaydeskService;

  constructor(
    @Inject(ActiveOrderService) active: ActiveOrderService,
    @Inject(OrderService) orders: OrderService,
    @Inject(PaydeskService) paydesk: PaydeskService,
  ) {
    this.#active = active;
    this.#orders = orders;
    this.#paydesk = paydesk;
  }

  @Mutation()
  @Allow(Permission.Owner)
  async createPaydeskCheckout(
    @Ctx() ctx: RequestContext,
    @Args('paymentMethodCode') method: string,
  ): Promise<Checkout> {
    const order = await this.#active.getActiveOrder(ctx, undefined);
    if (order === undefined) throw new UserInputError('There is no active order.');
    return this.#paydesk.checkout(ctx, order, method);
  }

  @Mutation()
  @Allow(Permission.Public)
  async checkPaydeskPayment(
    @Ctx() ctx: RequestContext,
    @Args('orderCode') code: string,
    @Args('paymentMethodCode') method: string,
  ): Promise<boolean> {
    const order = await this.#orders.findOneByCode(ctx, code);
    if (order === undefined) return false;
    return this.#paydesk.check(ctx, order, method);
  }
}
