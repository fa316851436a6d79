/** The columns of lists of orders in both consoles. */
import type { ReactNode } from 'react';
import type { ConsoleOrder } from '../api/merchants.ts';
import type { ChosenColumn } from '../components/list/columns.tsx';
import { Amount, Ptk } from '../components/values/money.tsx';
import { MarkedStatus } from '../components/values/test-mark.tsx';
import { Time } from '../components/values/time.tsx';
import { textsOf } from '../texts/texts.ts';

const t = textsOf('order');

/** An order of either console. Their types differ only in how they write an integer. */
type ShownOrder = Omit<ConsoleOrder, 'amount_minor'>;

const identifier = (text: string | undefined) =>
  text === undefined || text === '' ? '–' : <span className="identifier">{text}</span>;

/** The columns of orders that both consoles have. */
export const orderColumns: readonly ChosenColumn<ShownOrder>[] = [
  {
    key: 'description',
    header: t('description'),
    cell: ({ description }) => <span className="wrap">{description || '–'}</span>,
  },
  {
    key: 'status',
    header: t('status'),
    cell: ({ status, test_mode }) => <MarkedStatus value={status} test={test_mode} />,
  },
  {
    key: 'amount',
    header: t('amount'),
    end: true,
    cell: ({ amount, currency }) => <Amount amount={amount} currency={currency} />,
  },
  {
    key: 'buyer_pays',
    header: t('buyer_pays'),
    end: true,
    hidden: true,
    cell: ({ payment_amount, payment_currency }) =>
      payment_amount === undefined || payment_currency === undefined ? (
        '–'
      ) : (
        <Amount amount={payment_amount} currency={payment_currency} />
      ),
  },
  {
    key: 'net',
    header: t('net'),
    end: true,
    cell: ({ settlement_ptk, event_id }) =>
      // Before a payment is confirmed, the settlement is only an estimate.
      settlement_ptk === undefined || event_id === undefined ? '–' : <Ptk minor={settlement_ptk} />,
  },
  { key: 'created', header: t('created'), cell: ({ created_at }) => <Time at={created_at} /> },
  {
    key: 'paid',
    header: t('paid_at'),
    hidden: true,
    cell: ({ paid_at }) => (paid_at === null ? '–' : <Time at={paid_at} />),
  },
  {
    key: 'trade_no',
    header: t('provider_reference'),
    hidden: true,
    cell: ({ provider_trade_no }) => identifier(provider_trade_no),
  },
];

/** The column of the reference. */
export const referenceColumn = (cell: (order: ShownOrder) => ReactNode): ChosenColumn<ShownOrder> => ({
  key: 'reference',
  header: t('reference'),
  wide: true,
  cell,
});

/** The column of the order's number. */
export const numberColumn: ChosenColumn<ShownOrder> = {
  key: 'order_no',
  header: t('order_number'),
  hidden: true,
  cell: ({ order_no }) => identifier(order_no),
};
