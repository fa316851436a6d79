import type { FastifyInstance } from 'fastify';
import { formatMinor } from '../../base/money.ts';
import { priceAt, selectCurrencies, selectRates } from '../../currencies/index.ts';
import type { ConsoleDeps } from '../request/deps.ts';
import type { ByMerchant } from '../request/member.ts';

/** `GET /currencies`: the currencies that orders can be made in, with today's rate, for forms and estimates. */
export function currencyRoutes(app: FastifyInstance, { db, clock }: ConsoleDeps): void {
  app.get<ByMerchant>('/currencies', async () => {
    const [currencies, rates] = await Promise.all([selectCurrencies(db), selectRates(db)]);
    const now = clock.now();
    const items = currencies
      .filter(({ enabled }) => enabled)
      .map(({ code, decimals }) => {
        const price = priceAt(code, rates.find(({ currency }) => currency === code) ?? null, now);
        return { currency: code, decimals, ptk_price: price === null ? null : formatMinor(price, 12) };
      })
      .toSorted((a, b) => (a.currency < b.currency ? -1 : 1));
    return { items };
  });
}
