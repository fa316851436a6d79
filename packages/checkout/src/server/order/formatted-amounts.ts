/** Formats the amounts of a page on the server, so that the browser need not do it at first. */
import { amountParts, trimZeros } from '../../model/money.ts';
import type { CheckoutState } from '../../model/state.ts';
import { amountKey, type FormattedAmounts } from '../../view/ui.ts';

/** Every amount that the page shows for a state, formatted. */
export function formattedAmounts(state: CheckoutState, locale: string): FormattedAmounts {
  const { amount, currency, currency_decimals, ptk_price, methods, buyer } = state;
  const shown: [amount: string, currency: string][] = [
    [amount, currency],
    ...methods.flatMap(({ payment_currency, payment_subtotal, buyer_fee, payment_amount }) =>
      [payment_subtotal, buyer_fee, payment_amount].map((part): [string, string] => [part, payment_currency]),
    ),
  ];
  if (buyer !== null) shown.push([buyer.ptk_available, 'PTK']);
  if (ptk_price !== undefined) {
    shown.push(['1', 'PTK'], [trimZeros(ptk_price, currency_decimals), currency]);
  }
  return Object.fromEntries(
    shown.map(([figures, code]) => [amountKey(figures, code), amountParts(figures, code, locale)]),
  );
}
