/** The smallest unit in which the card provider counts each currency (https://docs.stripe.com/currencies). */
import { invalid } from '../base/errors.ts';
import type { Channel } from './channel.ts';

const none = new Set('BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF UGX VND VUV XAF XOF XPF'.split(' '));
const three = new Set('BHD JOD KWD OMR TND'.split(' '));
const known = new Set(Intl.supportedValuesOf('currency'));

/** The decimals of a currency at the provider; null if it is no currency of the world. */
export function cardDecimals(code: string): number | null {
  if (none.has(code)) return 0;
  if (three.has(code)) return 3;
  return known.has(code) ? 2 : null;
}

/**
 * Checks that cards are charged what their orders say: the provider gets whole numbers of the smallest unit, so a yen with
 * two decimals would be charged a hundred times (D-915). Disabled channels and currencies charge nothing.
 *
 * @throws AppError `invalid_request` on `field`
 */
export function checkCardDecimals(
  field: string,
  channels: readonly Channel[],
  currencies: readonly { code: string; decimals: number; enabled: boolean }[],
): void {
  const charged = new Set(
    channels.flatMap(({ enabled, provider, supported_currencies }) =>
      enabled && provider === 'cardprov' ? supported_currencies : [],
    ),
  );
  for (const { code, decimals, enabled } of currencies) {
    const there = cardDecimals(code);
    if (!enabled || !charged.has(code) || there === null || there === decimals) continue;
    throw invalid(
      field,
      `The card provider counts ${code} with ${there} decimals, and here it has ${decimals}: cards would be charged another amount.`,
    );
  }
}
