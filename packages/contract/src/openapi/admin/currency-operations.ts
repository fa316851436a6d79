/** The administration’s calls about currencies and rates. */
import { CurrencyAnswer, CurrencySettings, RateAnswer, RateSettings } from '../../admin/currency.ts';
import { change, createdOrRepeated, list, titled } from './call.ts';
import type { Operation } from '../operation.ts';

const currency = titled('Currency', CurrencyAnswer);
const rate = titled('Rate', RateAnswer);

export const currencyOperations: readonly Operation[] = [
  list({ id: 'listCurrencies', path: '/currencies', summary: 'List currencies', item: currency }),
  change({
    id: 'setCurrency',
    method: 'put',
    path: '/currencies/{code}',
    summary: 'Add or change a currency',
    body: titled('CurrencySettings', CurrencySettings),
    answer: currency,
    statuses: createdOrRepeated,
  }),
  list({ id: 'listRates', path: '/rates', summary: 'List rates', item: rate }),
  change({
    id: 'setRate',
    method: 'put',
    path: '/rates/{code}',
    summary: 'Set the price of 1 PTK in a currency',
    body: titled('RateSettings', RateSettings),
    answer: rate,
    statuses: createdOrRepeated,
  }),
];
