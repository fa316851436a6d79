import { CurrencySettings, RateSettings } from '@paydesk/contract';
import type { FastifyInstance } from 'fastify';
import { invalid } from '../../base/errors.ts';
import { maxMinor } from '../../base/money.ts';
import { parsePrice, selectCurrencies, selectRates, setCurrency, setRate } from '../../currencies/index.ts';
import { reader } from '../../base/input/decode.ts';
import { readInstant } from '../../base/input/instant.ts';
import { pageOfAll, readPageRequest } from '../../base/input/list-page.ts';
import { currencyJson, rateJson } from './currency-json.ts';
import { changeAsAdministrator } from '../keys/index.ts';
import type { AdminDeps } from '../request/deps.ts';
import { actorOf, type ByCode, type Listing } from '../request/request.ts';

const readCurrency = reader(CurrencySettings);
const readRate = reader(RateSettings);

/** `PUT /currencies/{code}`, `PUT /rates/{code}`, and the lists of both. */
export function currencyRoutes(app: FastifyInstance, deps: AdminDeps): void {
  app.get<Listing>('/currencies', async ({ query }) =>
    pageOfAll(await selectCurrencies(deps.db), readPageRequest(query), ({ code }) => code, currencyJson),
  );

  app.put<ByCode>('/currencies/:code', async (request, reply) => {
    const { decimals, enabled, min_minor = 1, max_minor = maxMinor } = readCurrency(request.body);
    const currency = {
      code: request.params.code,
      decimals,
      enabled,
      min_minor: BigInt(min_minor),
      max_minor: BigInt(max_minor),
    };
    const act = { actor: actorOf(request), action: 'currency.set' };
    const { before, after } = await changeAsAdministrator(deps, act, async (tx) => {
      const change = await setCurrency(tx, currency);
      return {
        target: `currency:${currency.code}`,
        before: change.before === null ? null : currencyJson(change.before),
        after: currencyJson(change.after),
      };
    });
    return reply.code(before === null ? 201 : 200).send(after);
  });

  app.get<Listing>('/rates', async ({ query }) =>
    pageOfAll(await selectRates(deps.db), readPageRequest(query), ({ currency }) => currency, rateJson),
  );

  app.put<ByCode>('/rates/:code', async (request, reply) => {
    const { ptk_price, valid_until = null } = readRate(request.body);
    const { code } = request.params;
    if (!/^[A-Z]{3,10}$/.test(code)) throw invalid('code', 'A currency code must be upper-case letters.');
    const rate = {
      currency: code,
      price_e12: parsePrice(ptk_price),
      valid_until: valid_until === null ? null : readInstant('valid_until', valid_until),
    };
    const act = { actor: actorOf(request), action: 'rate.set' };
    const { before, after } = await changeAsAdministrator(deps, act, async (tx) => {
      const change = await setRate(tx, rate);
      return {
        target: `rate:${code}`,
        before: change.before === null ? null : rateJson(change.before),
        after: rateJson(change.after),
      };
    });
    return reply.code(before === null ? 201 : 200).send(after);
  });
}
