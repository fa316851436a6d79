/** What an order has lost: its refunds, complaints and cases. */
import { Group, Stack } from '@mantine/core';
import type { Complaint, OrderDetail, Refund } from '../../api/admin.ts';
import { type Column, DataTable } from '../../components/list/data-table.tsx';
import { Panel } from '../../components/page/panel.tsx';
import { Amount } from '../../components/values/money.tsx';
import { Status } from '../../components/values/status.tsx';
import { Time } from '../../components/values/time.tsx';
import { CaseLink } from '../cases/case-moves.tsx';
import { disputeOutcome } from '../../order/dispute-outcome.ts';
import { textsOf } from '../../texts/texts.ts';
import { ComplaintDecision } from './complaint-decision.tsx';
import { complaintReason } from './complaint-reason.ts';
import { Lost } from './lost.tsx';

const t = textsOf('platform-orders');

const refundColumns: Column<Refund>[] = [
  { header: t('refund'), cell: ({ refund_id }) => <span className="identifier">{refund_id}</span> },
  {
    header: t('amount'),
    end: true,
    cell: ({ amount, currency }) => <Amount amount={amount} currency={currency} />,
  },
  { header: t('status'), cell: ({ status }) => <Status value={status} /> },
  { header: t('requested_2'), cell: ({ requested_at }) => <Time at={requested_at} /> },
  { header: t('ended'), cell: ({ ended_at }) => <Time at={ended_at} /> },
];

/** With the decision if one is open. */
const complaintColumns: Column<Complaint>[] = [
  {
    header: t('source'),
    cell: ({ source }) => (source === 'provider' ? t('dispute_at_the_provider') : t('dispute')),
  },
  {
    header: t('reason'),
    wide: true,
    cell: (complaint) => <span className="wrap">{complaintReason(complaint) ?? '–'}</span>,
  },
  { header: t('status'), cell: (complaint) => <Status value={disputeOutcome(complaint)} /> },
  {
    header: t('loss'),
    end: true,
    cell: (complaint) => <Lost of={complaint} />,
  },
  { header: t('opened'), cell: ({ opened_at }) => <Time at={opened_at} /> },
  { header: t('decision'), cell: (complaint) => <ComplaintDecision complaint={complaint} /> },
];

/** The refunds, complaints and cases of one order; nothing if there are none. */
export function LossesPanel({ story }: { story: Pick<OrderDetail, 'refunds' | 'complaints' | 'cases'> }) {
  const { refunds, complaints, cases } = story;
  return (
    <Stack gap="lg" mb="lg">
      {cases.length > 0 && (
        <Panel title={t('cases')}>
          <Group>
            {cases.map((one) => (
              <CaseLink key={one.case_id} of={one} />
            ))}
          </Group>
        </Panel>
      )}
      {refunds.length > 0 && (
        <Panel title={t('refunds')}>
          <DataTable
            name={t('refunds')}
            columns={refundColumns}
            rows={refunds}
            rowKey={({ refund_id }) => refund_id}
            empty={null}
          />
        </Panel>
      )}
      {complaints.length > 0 && (
        <Panel title={t('disputes')}>
          <DataTable
            name={t('disputes_2')}
            columns={complaintColumns}
            rows={complaints}
            rowKey={({ complaint_id }) => complaint_id}
            empty={null}
          />
        </Panel>
      )}
    </Stack>
  );
}
