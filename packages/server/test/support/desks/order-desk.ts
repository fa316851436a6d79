import { type Cardsim, startCardsim } from '@paydesk/cardsim';
import { expect } from 'vitest';
import { localReceiver, type LocalReceiver } from '../notifications/notify.ts';
import {
  addCardChannel,
  busyMerchant,
  checkoutOf,
  type Merchant,
  onePtk,
  type Order,
  payWithPtk,
  type Platform,
  setUpPlatform,
  signIn,
  topUp,
} from './platform.ts';
import { type Json, request, startTestService, type TestService } from './service.ts';

/** Whole orders of one merchant, from the creation to the notifications, paid with PTK or by card. */
export interface OrderDesk {
  service: TestService;
  cardsim: Cardsim;
  receiver: LocalReceiver;
  platform: Platform;
  merchant: Merchant;
  card: { payment_no: string };
  /** The session of the platform's buyer, who has PTK for many orders. */
  buyer: string;
  payByPtk(order: Order): Promise<void>;
  /** Starts a card payment as a guest. */
  startCard(order: Order): Promise<Session>;
  sessionOf(order: Order): Promise<Session>;
  stop(): Promise<void>;
}

/** The provider's session of an order. */
export interface Session {
  id: string;
  metadata: Json;
}

export async function openOrderDesk(): Promise<OrderDesk> {
  const receiver = await localReceiver();
  const cardsim = await startCardsim();
  const service = await startTestService({
    env: { ...receiver.env, PAYDESK_TRUSTED_PROXIES: '127.0.0.1/32' },
  });
  const platform = await setUpPlatform(service);
  await topUp(service, platform.buyer, 100_000n * onePtk);
  const card = await addCardChannel(service, cardsim.url);
  await cardsim.registerWebhook({ url: card.webhook_url, secret: 'whsec_simulated' });
  const buyer = await signIn(service, platform.buyer);

  async function sessionOf({ order_no }: Order): Promise<Session> {
    const { body } = await request<{ items: Session[] }>(`${cardsim.url}/_sim/sessions`, 'GET');
    const session = body.items.find(({ metadata }) => metadata.order_no === order_no);
    if (session === undefined) throw new Error('no session');
    return session;
  }
  return {
    service,
    cardsim,
    receiver,
    platform,
    merchant: await busyMerchant(service, platform.merchant_no, 8),
    card,
    buyer,
    payByPtk: (order) => payWithPtk(service, order, buyer),
    async startCard(order) {
      const checkout = checkoutOf(service, order);
      expect((await checkout.start(await checkout.methodOf('cardprov'))).status).toBe(200);
      return sessionOf(order);
    },
    sessionOf,
    async stop() {
      await service.stop();
      await cardsim.close();
      await receiver.remove();
    },
  };
}
