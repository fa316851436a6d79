/** What a method costs, line by line. */
import { isZero, trimZeros } from '../model/money.ts';
import type { CheckoutMethod, CheckoutState } from '../model/state.ts';
import { Amount } from './amount.tsx';
import type { Ui } from './ui.ts';

/** `PTK 1 = USD 0.07`, or null if the server gives no price. */
function rateText(ui: Ui, state: CheckoutState): string | null {
  const { ptk_price, currency, currency_decimals } = state;
  if (ptk_price === undefined || currency === 'PTK') return null;
  return ui.t('ptk_rate_value', {
    ptk: ui.money('1', 'PTK'),
    price: ui.money(trimZeros(ptk_price, currency_decimals), currency),
  });
}

interface BreakdownProps {
  ui: Ui;
  state: CheckoutState;
  method: CheckoutMethod;
  /** After the payment, balances are not shown. */
  paid?: boolean;
  /** The level of the heading: one below that of the part around it. */
  heading?: 'h2' | 'h3';
}

/** Subtotal, fee and total of a method; for PTK also the rate and the balance. */
export function Breakdown({ ui, state, method, paid = false, heading: Heading = 'h3' }: BreakdownProps) {
  const { payment_currency: currency } = method;
  const isPtk = method.provider === 'ptk';
  const rate = isPtk ? rateText(ui, state) : null;
  return (
    <section class="breakdown" aria-labelledby="breakdown">
      <Heading id="breakdown">{ui.t(paid ? 'breakdown_paid' : 'breakdown')}</Heading>
      <dl>
        {rate !== null && (
          <div class="quiet">
            <dt>{ui.t('ptk_rate')}</dt>
            <dd>
              <bdi>{rate}</bdi>
            </dd>
          </div>
        )}
        <div>
          <dt>{ui.t('subtotal')}</dt>
          <dd>
            <Amount ui={ui} amount={method.payment_subtotal} currency={currency} />
          </dd>
        </div>
        <div>
          <dt>{ui.t('fee')}</dt>
          <dd>
            {isZero(method.buyer_fee) ? (
              ui.t('method_no_fee')
            ) : (
              <Amount ui={ui} amount={method.buyer_fee} currency={currency} />
            )}
          </dd>
        </div>
        <div class="total">
          <dt>{ui.t(isPtk ? 'ptk_debit' : 'total')}</dt>
          <dd>
            <Amount ui={ui} amount={method.payment_amount} currency={currency} />
          </dd>
        </div>
        {isPtk && !paid && state.buyer !== null && (
          <div class="quiet">
            <dt>{ui.t('ptk_balance')}</dt>
            <dd>
              <Amount ui={ui} amount={state.buyer.ptk_available} currency="PTK" />
            </dd>
          </div>
        )}
      </dl>
    </section>
  );
}
