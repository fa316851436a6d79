/** The parts that the lists of orders of both consoles share: filters, sorts, and the query to the service. */
import type { Filter } from '../components/list/filters.tsx';
import { spanOf } from '../components/list/period.ts';
import type { View } from '../components/list/view-state.ts';
import type { ConsoleOrder } from '../api/merchants.ts';
import { words } from '../components/values/status.tsx';
import { textsOf } from '../texts/texts.ts';
import { modeFilter, testModeOf } from './mode.ts';
import { type UnpaidReason, unpaidWords } from './unpaid-reasons.ts';

const t = textsOf('order');
const sales = textsOf('sales');

type Status = ConsoleOrder['status'];
const statuses: readonly Status[] = ['pending', 'review', 'paid', 'expired', 'refunded', 'chargeback'];

type Method = 'ptk' | 'cardprov' | 'none';
type Step = 'opened' | 'method_chosen' | 'started' | 'paid';
type Sort = '-created_at' | 'created_at' | '-amount' | 'amount';

export const statusFilter: Filter = {
  kind: 'choice',
  name: 'status',
  label: t('status'),
  choices: statuses.map((one) => [one, words(one)] as const),
};

export const createdFilter: Filter = { kind: 'period', label: t('created') };

/** The filters that few people need. */
export const moreOrderFilters = (currencies: readonly string[]): readonly Filter[] => [
  modeFilter,
  {
    kind: 'choice',
    name: 'method',
    label: t('method'),
    choices: [
      ['cardprov', t('card')],
      ['ptk', t('ptk_wallet')],
      ['none', t('not_chosen_yet')],
    ],
  },
  {
    kind: 'choice',
    name: 'reached',
    label: t('came_to'),
    choices: [
      ['opened', t('checkout_opened')],
      ['method_chosen', t('method_chosen')],
      ['started', t('payment_started')],
      ['paid', t('payment_confirmed')],
    ],
  },
  {
    kind: 'choice',
    name: 'unpaid',
    label: sales('not_paid_because'),
    choices: Object.entries(unpaidWords),
  },
  {
    kind: 'choice',
    name: 'currency',
    label: t('currency'),
    choices: currencies.map((one) => [one, one] as const),
  },
  { kind: 'amount', name: 'amount_from', label: t('amount_from'), needs: 'currency' },
  { kind: 'amount', name: 'amount_to', label: t('amount_up_to'), needs: 'currency' },
];

export const orderSorts = [
  ['-created_at', t('newest_first')],
  ['created_at', t('oldest_first')],
  ['-amount', t('highest_amount_first')],
  ['amount', t('lowest_amount_first')],
] as const satisfies readonly (readonly [Sort, string])[];

/** The filter that an address names, for a call. */
export const orderQuery = (view: View) => ({
  q: view.q,
  status: view.status as Status | undefined,
  test_mode: testModeOf(view.mode),
  method: view.method as Method | undefined,
  reached: view.reached as Step | undefined,
  unpaid: view.unpaid as UnpaidReason | undefined,
  currency: view.currency,
  // A range of amounts means nothing without a currency.
  ...(view.currency === undefined ? {} : { amount_from: view.amount_from, amount_to: view.amount_to }),
  ...spanOf(view),
});

export const sortOf = (view: View): { sort?: Sort } =>
  view.sort === undefined ? {} : { sort: view.sort as Sort };
