/** The findings of a comparison: their kinds, their table and their columns. */
import type { OwnRecord, ReconciledOrder, Reconciliation } from '@paydesk/sdk/reconcile';
import { type Column, DataTable } from '../../components/list/data-table.tsx';
import { AppLink } from '../../components/page/link.tsx';
import { Empty } from '../../components/page/loaded.tsx';
import { Amount } from '../../components/values/money.tsx';
import { Status, words } from '../../components/values/status.tsx';
import type { CsvColumn } from './csv.ts';

export const kindNames = {
  match: 'Match',
  mismatch: 'Mismatch',
  missing_order: 'Missing here',
  missing_record: 'Missing with you',
  duplicate: 'Duplicate',
} as const;
export type FindingKind = keyof typeof kindNames;

/** A record, an order, or both, and how they match. */
export interface Finding {
  kind: FindingKind;
  record: OwnRecord | null;
  order: ReconciledOrder | null;
  note: string;
}

/** One finding for each record and each order. Earlier attempts that nobody paid are left out. */
export function findingsOf(result: Reconciliation<OwnRecord, ReconciledOrder>): Finding[] {
  return [
    ...result.mismatches.map(({ record, order, differences }) => ({
      kind: 'mismatch' as const,
      record,
      order,
      note: `Differs in ${differences.map((one) => words(one).toLowerCase()).join(', ')}`,
    })),
    ...result.missing_orders.map((record) => ({
      kind: 'missing_order' as const,
      record,
      order: null,
      note: 'No order here has this reference',
    })),
    ...result.missing_records.map((order) => ({
      kind: 'missing_record' as const,
      record: null,
      order,
      note: 'None of your records is about this order',
    })),
    ...result.duplicates.flatMap(({ by, key, records, orders }) => [
      ...records.map((record) => ({
        kind: 'duplicate' as const,
        record,
        order: null,
        note: `Recorded twice: ${by} ${key}`,
      })),
      ...orders.map((order) => ({
        kind: 'duplicate' as const,
        record: null,
        order,
        note: `Paid twice: ${key}`,
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
  { header: 'Finding', cell: ({ kind }) => <Status value={tones[kind]} label={kindNames[kind]} /> },
  {
    header: 'Reference',
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
  { header: 'With you', end: true, cell: ({ record }) => <Side of={record} /> },
  { header: 'Here', end: true, cell: ({ order }) => <Side of={order} /> },
  { header: 'Note', wide: true, cell: ({ note }) => note || '–' },
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
      name="Findings"
      columns={columnsOf(merchant_no)}
      rows={findings}
      rowKey={(finding) => String(findings.indexOf(finding))}
      empty={<Empty title="Nothing of this kind" />}
    />
  );
}

export const findingCsv: CsvColumn<Finding>[] = [
  { header: 'finding', text: ({ kind }) => kind },
  {
    header: 'external_reference',
    text: ({ record, order }) => order?.external_reference ?? record?.external_reference ?? '',
  },
  { header: 'own_amount', text: ({ record }) => record?.amount ?? '' },
  { header: 'own_currency', text: ({ record }) => record?.currency ?? '' },
  { header: 'own_status', text: ({ record }) => record?.status ?? '' },
  { header: 'order_no', text: ({ order }) => order?.order_no ?? '' },
  { header: 'amount', text: ({ order }) => order?.amount ?? '' },
  { header: 'currency', text: ({ order }) => order?.currency ?? '' },
  { header: 'status', text: ({ order }) => order?.status ?? '' },
  { header: 'note', text: ({ note }) => note },
];
