export { selectCurrencies, selectCurrency, selectRates } from './currency.sql.ts';
export { type Currency, type Rate, fromPtk, parsePrice, priceAt, toPtk } from './currency.ts';
export { type Currencies, createCurrencies } from './read-currencies.ts';
export { setCurrency, setRate } from './set-currency.ts';
