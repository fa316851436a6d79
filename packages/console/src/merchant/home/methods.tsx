/** The orders of each payment method, by outcome. */
import type { Sales } from '../../api/merchants.ts';
import { type Column, DataTable } from '../../components/list/data-table.tsx';
import { AppLink } from '../../components/page/link.tsx';
import { Panel } from '../../components/page/panel.tsx';
import { unpaidWords } from '../../order/unpaid-reasons.ts';
import { numberText, percentText } from '../../texts/format.ts';
import { textsOf } from '../../texts/texts.ts';

const t = textsOf('sales');

type Method = Sales['methods'][number];

const columnsOf = (merchant_no: string, { from, until }: Sales['period']): Column<Method>[] => [
  { header: t('method'), wide: true, cell: ({ name }) => name },
  { header: t('method_chosen'), end: true, cell: ({ method_chosen }) => numberText(method_chosen) },
  { header: t('payment_started'), end: true, cell: ({ started }) => numberText(started) },
  { header: t('paid'), end: true, cell: ({ paid }) => numberText(paid) },
  { header: t('conversion'), end: true, cell: ({ conversion }) => percentText(conversion ?? '0') },
  {
    header: t('not_paid_because'),
    wide: true,
    cell: ({ provider, unpaid }) =>
      unpaid.length === 0
        ? '–'
        : unpaid.map(({ reason, orders }) => (
            <div key={reason}>
              <AppLink
                to="/console/merchants/$merchant_no/orders"
                params={{ merchant_no }}
                search={{ from, until, mode: 'live', method: provider ?? undefined, unpaid: reason }}
                size="sm"
              >
                {t('reason_orders', { reason: unpaidWords[reason], orders })}
              </AppLink>
            </div>
          )),
  },
];

/** Each reason leads to its orders in the list (D-556). */
export function Methods({ of: { methods, period }, merchant_no }: { of: Sales; merchant_no: string }) {
  return (
    <Panel title={t('by_method')} about={t('by_method_about')}>
      <DataTable
        name={t('by_method')}
        columns={columnsOf(merchant_no, period)}
        rows={methods}
        rowKey={({ payment_no }) => payment_no}
        empty={null}
      />
    </Panel>
  );
}
