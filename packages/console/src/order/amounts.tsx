/** The amounts of an order as sums: what the merchant gets, and what the buyer pays. */
import { Text } from '@mantine/core';
import type { OrderStory } from '../api/order-detail.ts';
import { Panel } from '../components/page/panel.tsx';
import { Facts } from '../components/values/facts.tsx';
import { Amount, Change, Ptk } from '../components/values/money.tsx';
import { Sum } from '../components/values/sum.tsx';
import { trimmed } from '../money/money.ts';
import { decimalText } from '../texts/format.ts';
import { textsOf } from '../texts/texts.ts';
import { takenBack, wasTakenBack } from './left-in-wallet.ts';

const t = textsOf('order');

type Props = Pick<OrderStory, 'order' | 'quotes' | 'complaints' | 'result_ptk'>;

/** Gross − Fee = Net, each in its currency, and the rate below. */
export function AmountsPanel({ order, quotes, complaints, result_ptk }: Props) {
  const { ptk_price } = order;
  return (
    <Panel
      title={t('amounts')}
      about={order.event_id === undefined ? t('expected_nothing_is_paid_yet') : undefined}
    >
      <Proceeds order={order} />
      <Returned order={order} complaints={complaints} result_ptk={result_ptk} />
      <Paid order={order} quotes={quotes} />
      <Facts
        of={[
          [t('fee_made_up_of'), feeWords(order, quotes)],
          [
            t('rate'),
            ptk_price === undefined || ptk_price === null
              ? undefined
              : t('rate_fixed_at_creation', {
                  price: decimalText(trimmed(ptk_price)),
                  currency: order.currency,
                }),
          ],
        ]}
      />
    </Panel>
  );
}

/** The parts of the merchant fee, as `0.30 USD + 2.9% of 20.58 USD`; nothing where there is no fee (D-523). */
export function feeWords(order: Props['order'], quotes: Props['quotes']): string | undefined {
  const quote = quotes.find(({ payment_no }) => payment_no === order.payment_no);
  if (quote === undefined || isZero(quote.merchant_fee)) return undefined;
  const { currency } = quote;
  const { fixed, percent, of, cap } = quote.merchant_fee_parts;
  const percentage =
    cap === null
      ? t('fee_percent_of', {
          percent: decimalText(percent.replace(/\.?0+$/, '')),
          amount: decimalText(trimmed(of)),
          currency,
        })
      : t('fee_cap', { amount: decimalText(trimmed(cap)), currency });
  return [
    ...(isZero(fixed) ? [] : [`${decimalText(trimmed(fixed))} ${currency}`]),
    ...(isZero(percent) ? [] : [percentage]),
  ].join(' + ');
}

const isZero = (decimal: string): boolean => /^[0.]*$/.test(decimal);

function Proceeds({ order }: Pick<Props, 'order'>) {
  const { amount, currency, merchant_fee, payment_currency, settlement_ptk } = order;
  const gross = <Amount amount={amount} currency={currency} />;
  const grossPtk =
    // The rate of a historical order is unknown, and an invoice in PTK needs none.
    order.gross_settlement_ptk === '0' || currency === 'PTK' ? undefined : (
      <Ptk minor={order.gross_settlement_ptk} />
    );
  if (merchant_fee === undefined || payment_currency === undefined) {
    return (
      <>
        <Sum name={t('proceeds')} of={[{ name: t('gross'), value: gross, also: grossPtk }]} />
        <Text size="sm" c="dimmed">
          {t('fee_and_net_depend_on_the_method')}
        </Text>
      </>
    );
  }
  const fee = {
    name: t('fee'),
    sign: '−',
    value: <Amount amount={merchant_fee} currency={payment_currency} />,
    also: payment_currency === 'PTK' ? undefined : <Ptk minor={order.merchant_fee_ptk} />,
  } as const;
  if (settlement_ptk === undefined) {
    return (
      <>
        <Sum name={t('proceeds')} of={[{ name: t('gross'), value: gross, also: grossPtk }, fee]} />
        <Text size="sm" c="dimmed">
          {t('the_merchants_own_account_collects')}
        </Text>
      </>
    );
  }
  const net = { name: t('net'), sign: '=', value: <Ptk minor={settlement_ptk} /> } as const;
  return <Sum name={t('proceeds')} of={[{ name: t('gross'), value: gross, also: grossPtk }, fee, net]} />;
}

/**
 * Net − Taken back = Left in the wallet (D-490), once a refund or a lost dispute, also of a part (D-1067), has left another
 * amount than the net in the wallet.
 */
function Returned({ order, complaints, result_ptk }: Omit<Props, 'quotes'>) {
  const { status, settlement_ptk, payment_amount, payment_currency } = order;
  if (!wasTakenBack(status, complaints) || settlement_ptk === undefined || result_ptk === undefined)
    return null;
  // A refund gives back all that the buyer paid, fee included. A bank may take back less.
  const given_back =
    status !== 'refunded' ||
    payment_amount === undefined ||
    payment_currency === undefined ||
    payment_currency === 'PTK' ? undefined : (
      <Amount amount={payment_amount} currency={payment_currency} />
    );
  return (
    <Sum
      name={t('what_is_left')}
      of={[
        { name: t('net'), value: <Ptk minor={settlement_ptk} /> },
        {
          name: t('taken_back'),
          value: <Ptk minor={takenBack(settlement_ptk, result_ptk)} />,
          sign: '−',
          also: given_back,
        },
        { name: t('left_in_the_wallet'), value: <Change change={result_ptk} />, sign: '=' },
      ]}
    />
  );
}

function Paid({ order, quotes }: Pick<Props, 'order' | 'quotes'>) {
  const { payment_amount, payment_currency, buyer_fee, payment_no } = order;
  if (payment_amount === undefined || payment_currency === undefined || buyer_fee === undefined) return null;
  const price = quotes.find((quote) => quote.payment_no === payment_no)?.subtotal;
  const inPayment = (amount: string) => <Amount amount={amount} currency={payment_currency} />;
  return (
    <Sum
      name={t('what_the_buyer_pays')}
      of={[
        ...(price === undefined ? [] : [{ name: t('price'), value: inPayment(price) }]),
        {
          name: t('buyer_fee'),
          value: inPayment(buyer_fee),
          ...(price === undefined ? {} : { sign: '+' as const }),
        },
        { name: t('buyer_pays'), value: inPayment(payment_amount), sign: '=' },
      ]}
    />
  );
}
