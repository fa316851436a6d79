import { type Answer, ask } from './ask.ts';
import type { PaymentRecord } from './payment-record.ts';
import type { Random } from '../support/run/random.ts';
import { type Shop, untilAnswered } from './shop.ts';

/** How often a call is made at the same time: now and then a client is impatient. */
export const times = (random: Random): number => (random.next() < 0.3 ? random.between(2, 3) : 1);

export async function together<T>(count: number, call: () => Promise<T>): Promise<T[]> {
  return Promise.all(Array.from({ length: count }, call));
}

/** How an order of one kind is paid from a wallet. */
export interface WalletPayment {
  start: () => Promise<Answer<unknown> | null>;
  /** The status that refuses another payment of a paid order. */
  refusal: number;
  /** Reads whether the order is paid. */
  isPaid: () => Promise<boolean>;
}

/** Starts the payment until the service confirms it, sometimes from several tabs concurrently. */
export async function payFromWallet(
  shop: Shop,
  record: PaymentRecord,
  random: Random,
  { start, refusal, isPaid }: WalletPayment,
): Promise<void> {
  const count = times(random);
  shop.counts.repeated_calls += count - 1;
  await together(count, async () => {
    const { status, text } = await untilAnswered(shop, start, () => {
      record.lost_starts++;
      shop.counts.lost_starts++;
    });
    if (status === 200) {
      record.acknowledged++;
    } else if (status === refusal) {
      // The order is already paid, so a read must show that.
      if (await isPaid()) record.found_paid = true;
      else shop.problems.push(`${record.order_no} refuses a payment but is not paid: ${text}`);
    } else {
      shop.problems.push(`PTK payment of ${record.order_no}: ${status} ${text}`);
    }
  });
}

/** Where the buyer is sent to pay by card. */
export interface Redirect {
  redirect_url: string;
}

export interface CardPayment {
  start: () => Promise<Answer<Redirect> | null>;
  /** Who gives up opens the provider's page and does not pay there. */
  gives_up: boolean;
}

/**
 * Starts a card payment and pays at the provider, except for buyers who give up there. A buyer whose start was
 * interrupted by a kill tries again until the provider's page opens. That takes as long as the dead process's lease on
 * the attempt; the shopper continues meanwhile.
 */
export async function payByCard(
  shop: Shop,
  record: PaymentRecord,
  random: Random,
  { start, gives_up }: CardPayment,
): Promise<void> {
  const count = times(random);
  shop.counts.repeated_calls += count - 1;
  const twice = random.next() < 0.2;
  const pay = async (): Promise<void> => {
    if (!gives_up) await payAtProvider(shop, record, twice);
  };
  const answers = await together(count, start);
  const opened = answers.map((answer) => take(shop, record, answer));
  if (opened.includes(true)) {
    await pay();
    return;
  }
  const coming = comeBack(shop, record, start, pay).finally(() => shop.returning.delete(coming));
  shop.returning.add(coming);
}

/** Notes the answer to a start; true where it opens the provider's page. */
function take(shop: Shop, record: PaymentRecord, answer: Answer<Redirect> | null): boolean {
  if (answer === null || answer.status === 503) {
    record.lost_starts++;
    shop.counts.lost_starts++;
    return false;
  }
  const { status, body, text } = answer;
  if (status === 200) {
    if (record.redirect_url !== '' && record.redirect_url !== body.redirect_url) {
      shop.problems.push(`${record.order_no} leads to two pages of the provider`);
    }
    record.redirect_url = body.redirect_url;
    return true;
  }
  if (status !== 202) shop.problems.push(`card payment of ${record.order_no}: ${status} ${text}`);
  return false;
}

async function comeBack(
  shop: Shop,
  record: PaymentRecord,
  start: CardPayment['start'],
  pay: () => Promise<void>,
): Promise<void> {
  try {
    do await shop.paydesk.door.passed();
    while (!take(shop, record, await start()));
    await pay();
  } catch (error) {
    shop.problems.push(`coming back to ${record.order_no}: ${(error as Error).message}`);
  }
}

/** @param twice whether the provider reports the payment twice */
async function payAtProvider(shop: Shop, record: PaymentRecord, twice: boolean): Promise<void> {
  const session = new URL(record.redirect_url).pathname.split('/').at(-1) ?? '';
  const paid = await ask(`${shop.cardsim.url}/_sim/sessions/${session}/pay`, 'POST', {
    body: { webhook: twice ? 'duplicate' : 'normal' },
  });
  if (paid?.status === 200) record.paid_at_provider = true;
  else shop.problems.push(`paying ${record.order_no} at the provider: ${paid?.text ?? 'no answer'}`);
}
