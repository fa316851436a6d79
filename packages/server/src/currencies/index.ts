/** The currencies that orders may be priced in, and their rates to PTK. */
export { selectCurrencies, selectCurrency, selectDecimals, selectRate, selectRates } from './currency.sql.ts';
export { type Currency, type Rate, fromPtk, parsePrice, priceAt, toPtk } from './currency.ts';
export { type Currencies, createCurrencies } from './read-currencies.ts';
export { setCurrency, setRate } from './set-currency.ts';
