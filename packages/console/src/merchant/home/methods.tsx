/** The orders of each payment method, by outcome. */
import type { Sales } from '../../api/merchants.ts';
import { type Column, DataTable } from '../../components/list/data-table.tsx';
import { Panel } from '../../components/page/panel.tsx';
import { numberText, percentText } from '../../texts/format.ts';
import { textsOf } from '../../texts/texts.ts';

const t = textsOf('sales');

type Method = Sales['methods'][number];
type Reason = Method['unpaid'][number]['reason'];

const reasonWords: Readonly<Record<Reason, string>> = {
  insufficient_funds: t('insufficient_funds'),
  expired_card: t('expired_card'),
  incorrect_details: t('incorrect_details'),
  authentication_failed: t('authentication_failed'),
  limit_exceeded: t('limit_exceeded'),
  not_supported: t('not_supported'),
  suspected_fraud: t('suspected_fraud'),
  processing_error: t('processing_error'),
  declined: t('declined'),
  abandoned: t('abandoned'),
  method_changed: t('method_changed'),
  provider_refused: t('provider_refused'),
  in_review: t('in_review'),
};

const columns: Column<Method>[] = [
  { header: t('method'), wide: true, cell: ({ name }) => name },
  { header: t('method_chosen'), end: true, cell: ({ method_chosen }) => numberText(method_chosen) },
  { header: t('payment_started'), end: true, cell: ({ started }) => numberText(started) },
  { header: t('paid'), end: true, cell: ({ paid }) => numberText(paid) },
  { header: t('conversion'), end: true, cell: ({ conversion }) => percentText(conversion ?? '0') },
  {
    header: t('not_paid_because'),
    wide: true,
    cell: ({ unpaid }) =>
      unpaid.length === 0
        ? '–'
        : unpaid.map(({ reason, orders }) => (
            <div key={reason}>{t('reason_orders', { reason: reasonWords[reason], orders })}</div>
          )),
  },
];

export function Methods({ methods }: { methods: readonly Method[] }) {
  return (
    <Panel title={t('by_method')} about={t('by_method_about')}>
      <DataTable
        name={t('by_method')}
        columns={columns}
        rows={methods}
        rowKey={({ payment_no }) => payment_no}
        empty={null}
      />
    </Panel>
  );
}
