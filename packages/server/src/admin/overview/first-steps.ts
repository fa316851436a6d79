/** The first steps of a platform in production: what it still needs before a buyer can pay, in order. */
import { type Clock } from '../../base/time/clock.ts';
import type { Queryable } from '../../base/pg/index.ts';
import { type Channel, isConfigured, selectChannels } from '../../channels/index.ts';
import { selectPlatformMilestones } from '../../collection/figures/index.ts';
import { priceAt, selectCurrencies, selectRates } from '../../currencies/index.ts';
import { selectMerchants } from '../../merchants/index.ts';
import { selectClients } from '../../oauth/clients/index.ts';
import { selectHeardChannels } from '../../payments/webhooks/index.ts';

/** A step. While it is not done, orders may be refused with `refusal`. */
export interface FirstStep {
  step: 'currency' | 'rate' | 'channel' | 'webhook' | 'merchant' | 'client' | 'order' | 'payment';
  done: boolean;
  /** The error code that a merchant's server gets until this is done; null where nothing is refused. */
  refusal: 'currency_unavailable' | 'currency_rate_unavailable' | 'channel_unavailable' | null;
  /** The currencies without a rate, or the channels that lack something. */
  about: string[];
}

interface State {
  currencies: Awaited<ReturnType<typeof selectCurrencies>>;
  /** Currencies that are enabled and have no rate now. */
  without_rate: string[];
  channels: readonly Channel[];
  /** Card channels from which a webhook with a valid signature has come. */
  heard: readonly string[];
  merchants: number;
  clients: number;
  ordered: boolean;
  paid: boolean;
}

/** Reads the state of the platform, and says which steps are done. */
export async function readFirstSteps({ db, clock }: { db: Queryable; clock: Clock }): Promise<FirstStep[]> {
  const now = clock.now();
  const [currencies, rates, channels, merchants, clients, { ordered, paid }] = await Promise.all([
    selectCurrencies(db),
    selectRates(db),
    selectChannels(db),
    selectMerchants(db, '00000000-0000-0000-0000-000000000000', 1),
    selectClients(db, '', 1),
    selectPlatformMilestones(db),
  ]);
  const without_rate = currencies
    .filter(({ code, enabled }) => {
      const rate = rates.find(({ currency }) => currency === code) ?? null;
      return enabled && priceAt(code, rate, now) === null;
    })
    .map(({ code }) => code);
  const heard = await selectHeardChannels(
    db,
    channels.filter(isLiveCard).map(({ payment_no }) => payment_no),
  );
  return firstSteps({
    ...{ currencies, without_rate, channels, heard, ordered, paid },
    ...{ merchants: merchants.length, clients: clients.length },
  });
}

/**
 * The steps, in order. A payment proves that the webhooks of its channel arrive: stored webhooks are removed after some
 * weeks, and the step stays done.
 */
export function firstSteps(state: State): FirstStep[] {
  const { currencies, without_rate, channels, heard, merchants, clients, ordered, paid } = state;
  const enabled = channels.filter((channel) => channel.enabled);
  const isReady = paid ? isConfigured : isPayable;
  const usable = enabled.filter(isReady);
  const unready = enabled.filter((channel) => !isReady(channel));
  const silent = paid
    ? []
    : enabled.filter((channel) => isLiveCard(channel) && !heard.includes(channel.payment_no));
  const names = (some: readonly Channel[]): string[] => some.map(({ payment_no }) => payment_no);
  const hasCurrency = currencies.some((currency) => currency.enabled);
  const step = (
    name: FirstStep['step'],
    done: boolean,
    { refusal = null, about = [] }: Partial<Pick<FirstStep, 'refusal' | 'about'>> = {},
  ): FirstStep => ({ step: name, done, refusal: done ? null : refusal, about: done ? [] : about });
  return [
    step('currency', hasCurrency, { refusal: 'currency_unavailable' }),
    step('rate', hasCurrency && without_rate.length === 0, {
      refusal: 'currency_rate_unavailable',
      about: without_rate,
    }),
    step('channel', usable.length > 0 && unready.length === 0, {
      refusal: usable.length > 0 ? null : 'channel_unavailable',
      about: names(unready),
    }),
    step('webhook', usable.length > 0 && silent.length === 0, { about: names(silent) }),
    step('merchant', merchants > 0),
    step('client', clients > 0),
    step('order', ordered),
    step('payment', paid),
  ];
}

const isLiveCard = ({ provider, enabled, test_mode }: Channel): boolean =>
  provider === 'cardprov' && enabled && !test_mode;

/** Whether some buyer may be able to pay an order through a channel that is enabled (D-1454). */
const isPayable = (channel: Channel): boolean =>
  isConfigured(channel) &&
  channel.fees.size > 0 &&
  (channel.provider === 'ptk' || channel.supported_currencies.length > 0) &&
  (!channel.test_mode || channel.debug_merchants.length + channel.debug_users.length > 0);
