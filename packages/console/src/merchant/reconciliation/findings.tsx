/** The findings of a comparison: their kinds, their table and their columns. */
import type { OwnRecord, ReconciledOrder, Reconciliation } from '@paydesk/sdk/reconcile';
import { type Column, DataTable } from '../../components/list/data-table.tsx';
import { AppLink } from '../../components/page/link.tsx';
import { Empty } from '../../components/page/loaded.tsx';
import { Amount } from '../../components/values/money.tsx';
import { Status, words } from '../../components/values/status.tsx';
import type { CsvColumn } from './csv.ts';
import { textsOf, verbatim } from '../../texts/texts.ts';

const t = textsOf('wallet');

export const kindNames = {
  match: t('match'),
  mismatch: t('mismatch'),
  missing_order: t('missing_here'),
  missing_record: t('missing_in_your_records'),
  duplicate: t('duplicate'),
} as const;
export type FindingKind = keyof typeof kindNames;

/** A record, an order, or both, and how they match. */
export interface Finding {
  kind: FindingKind;
  record: OwnRecord | null;
  order: ReconciledOrder | null;
  note: string;
}

/** One finding for each record and each order. Unpaid earlier attempts are left out. */
export function findingsOf(result: Reconciliation<OwnRecord, ReconciledOrder>): Finding[] {
  return [
    ...result.mismatches.map(({ record, order, differences }) => ({
      kind: 'mismatch' as const,
      record,
      order,
      note: t('differs_in_differences', {
        differences: differences.map((one) => words(one).toLowerCase()).join(', '),
      }),
    })),
    ...result.missing_orders.map((record) => ({
      kind: 'missing_order' as const,
      record,
      order: null,
      note: t('no_order_has_this_reference'),
    })),
    ...result.missing_records.map((order) => ({
      kind: 'missing_record' as const,
      record: null,
      order,
      note: t('your_records_do_not_contain_this'),
    })),
    ...result.duplicates.flatMap(({ by, key, records, orders }) => [
      ...records.map((record) => ({
        kind: 'duplicate' as const,
        record,
        order: null,
        note: t('recorded_twice_by_key', { by, key }),
      })),
      ...orders.map((order) => ({
        kind: 'duplicate' as const,
        record: null,
        order,
        note: t('paid_twice_key', { key }),
      })),
    ]),
    ...result.matches.map(({ record, order }) => ({ kind: 'match' as const, record, order, note: '' })),
  ];
}

const tones: Record<FindingKind, string> = {
  match: 'paid',
  mismatch: 'failed',
  missing_order: 'failed',
  missing_record: 'review',
  duplicate: 'review',
};

const columnsOf = (merchant_no: string): Column<Finding>[] => [
  { header: t('finding'), cell: ({ kind }) => <Status value={tones[kind]} label={kindNames[kind]} /> },
  {
    header: t('reference'),
    wide: true,
    cell: ({ record, order }) => {
      const reference = order?.external_reference ?? record?.external_reference ?? '';
      return order === null ? (
        <span className="wrap">{reference}</span>
      ) : (
        <AppLink
          to="/console/merchants/$merchant_no/orders/$order_no"
          params={{ merchant_no, order_no: order.order_no }}
          size="sm"
          className="wrap"
        >
          {reference}
        </AppLink>
      );
    },
  },
  { header: t('your_records'), end: true, cell: ({ record }) => <Side of={record} /> },
  { header: t('paydesk'), end: true, cell: ({ order }) => <Side of={order} /> },
  { header: t('note'), wide: true, cell: ({ note }) => note || '–' },
];

function Side({ of }: { of: OwnRecord | ReconciledOrder | null }) {
  if (of === null) return '–';
  const isNumber = /^\d+(\.\d+)?$/.test(of.amount);
  return (
    <>
      {isNumber ? <Amount amount={of.amount} currency={of.currency} /> : `${of.amount} ${of.currency}`}{' '}
      <Status value={of.status} />
    </>
  );
}

export function FindingsTable({
  findings,
  merchant_no,
}: {
  findings: readonly Finding[];
  merchant_no: string;
}) {
  return (
    <DataTable
      name={t('findings')}
      columns={columnsOf(merchant_no)}
      rows={findings}
      rowKey={(finding) => String(findings.indexOf(finding))}
      empty={<Empty title={t('no_findings_of_this_kind')} />}
    />
  );
}

export const findingCsv: CsvColumn<Finding>[] = [
  { header: verbatim('finding'), text: ({ kind }) => kind },
  {
    header: verbatim('external_reference'),
    text: ({ record, order }) => order?.external_reference ?? record?.external_reference ?? '',
  },
  { header: verbatim('own_amount'), text: ({ record }) => record?.amount ?? '' },
  { header: verbatim('own_currency'), text: ({ record }) => record?.currency ?? '' },
  { header: verbatim('own_status'), text: ({ record }) => record?.status ?? '' },
  { header: verbatim('order_no'), text: ({ order }) => order?.order_no ?? '' },
  { header: verbatim('amount'), text: ({ order }) => order?.amount ?? '' },
  { header: verbatim('currency'), text: ({ order }) => order?.currency ?? '' },
  { header: verbatim('status'), text: ({ order }) => order?.status ?? '' },
  { header: verbatim('note'), text: ({ note }) => note },
];
