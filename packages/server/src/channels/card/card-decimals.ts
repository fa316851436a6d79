/**
 * The smallest unit in which the card provider counts each currency (https://docs.stripe.com/currencies). UGX and ISK have no
 * decimals, and are counted with two all the same (D-1276).
 */
const none = new Set('BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF VND VUV XAF XOF XPF'.split(' '));
const three = new Set('BHD JOD KWD OMR TND'.split(' '));
const known = new Set(Intl.supportedValuesOf('currency'));

/**
 * Whether a card can be charged what an order says. The provider gets whole numbers of the smallest unit, so yen with two
 * decimals would be charged a hundred times (D-915). A code that is no currency of the world has the decimals it is given.
 */
export function isCountedByCards({ currency, currency_decimals }: CountedAmount): boolean {
  if (none.has(currency)) return currency_decimals === 0;
  if (three.has(currency)) return currency_decimals === 3;
  return !known.has(currency) || currency_decimals === 2;
}

interface CountedAmount {
  currency: string;
  currency_decimals: number;
}
