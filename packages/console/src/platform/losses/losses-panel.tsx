import { Group, Stack } from '@mantine/core';
import { adminCall, type Complaint, type OrderDetail, type Refund } from '../../api/admin.ts';
import { part } from '../../api/call.ts';
import { PlatformAction } from '../allowed.tsx';
import { isDecimal, optional, reasonField, textOf } from '../../components/dialog/fields.ts';
import { type Column, DataTable } from '../../components/list/data-table.tsx';
import { Panel } from '../../components/page/panel.tsx';
import { Amount } from '../../components/values/money.tsx';
import { Status, words } from '../../components/values/status.tsx';
import { Time } from '../../components/values/time.tsx';
import { CaseLink } from '../cases/case-moves.tsx';

/** The columns of refunds. */
export const refundColumns: Column<Refund>[] = [
  { header: 'Refund', cell: ({ refund_id }) => <span className="identifier">{refund_id}</span> },
  {
    header: 'Amount',
    end: true,
    cell: ({ amount, currency }) => <Amount amount={amount} currency={currency} />,
  },
  { header: 'Status', cell: ({ status }) => <Status value={status} /> },
  { header: 'Requested', cell: ({ requested_at }) => <Time at={requested_at} /> },
  { header: 'Ended', cell: ({ ended_at }) => <Time at={ended_at} /> },
];

/** The columns of complaints, with the decision if one is open. */
export const complaintColumns: Column<Complaint>[] = [
  { header: 'From', cell: ({ source }) => (source === 'provider' ? 'Dispute at the provider' : 'Complaint') },
  { header: 'Reason', wide: true, cell: ({ reason }) => <span className="wrap">{reason}</span> },
  { header: 'Status', cell: ({ status }) => <Status value={status} /> },
  {
    header: 'Loss',
    end: true,
    cell: ({ loss_amount, currency }) =>
      loss_amount === null ? '–' : <Amount amount={loss_amount} currency={currency} />,
  },
  { header: 'Opened', cell: ({ opened_at }) => <Time at={opened_at} /> },
  { header: 'Decision', cell: (complaint) => <ComplaintDecision complaint={complaint} /> },
];

/** The refunds, complaints and cases of one order; nothing if there are none. */
export function LossesPanel({ story }: { story: Pick<OrderDetail, 'refunds' | 'complaints' | 'cases'> }) {
  const { refunds, complaints, cases } = story;
  return (
    <Stack gap="lg">
      {cases.length > 0 && (
        <Panel title="Cases">
          <Group>
            {cases.map((one) => (
              <CaseLink key={one.case_id} of={one} />
            ))}
          </Group>
        </Panel>
      )}
      {refunds.length > 0 && (
        <Panel title="Refunds">
          <DataTable
            name="Refunds"
            columns={refundColumns}
            rows={refunds}
            rowKey={({ refund_id }) => refund_id}
            empty={null}
          />
        </Panel>
      )}
      {complaints.length > 0 && (
        <Panel title="Complaints and disputes">
          <DataTable
            name="Complaints"
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

function ComplaintDecision({ complaint }: { complaint: Complaint }) {
  const { complaint_id, status, currency, decided_at, source } = complaint;
  if (status !== 'open') return <Time at={decided_at} />;
  const decide = (body: Record<string, unknown>) =>
    adminCall<Complaint>('POST', `/complaints/${part(complaint_id)}/decision`, { body });
  return (
    <Group gap={6} wrap="nowrap">
      <PlatformAction
        allows="money"
        label="Dismiss"
        size="xs"
        title="Dismiss the complaint"
        confirm="Dismiss"
        fields={[reasonField]}
        consequences={() => ['What was frozen goes back to where it was.']}
        submit={(values) => decide({ decision: 'dismiss', reason: textOf(values, 'reason') })}
        done={() => 'Dismissed.'}
      />
      <PlatformAction
        allows="money"
        label="Confirm"
        size="xs"
        color="red"
        title="Confirm the complaint"
        confirm="Confirm the loss"
        danger
        fields={[
          {
            name: 'loss_amount',
            label: 'Loss',
            unit: currency,
            about: 'Empty: all that is left of what the buyer paid.',
            check: (value) => isDecimal(value),
          },
          {
            name: 'external_cost',
            label: 'Costs outside',
            unit: currency,
            check: (value) => isDecimal(value),
          },
          reasonField,
        ]}
        consequences={() => [
          'The loss is taken from what is frozen, then from the merchant’s balance and guarantee; the rest is owed.',
          source === 'provider' ? 'The provider has paid the buyer.' : 'This cannot be taken back.',
        ]}
        submit={(values) =>
          decide({
            decision: 'confirm',
            reason: textOf(values, 'reason'),
            ...optional(values, 'loss_amount'),
            ...optional(values, 'external_cost'),
          })
        }
        done={({ status: outcome }) => `${words(outcome)}.`}
      />
    </Group>
  );
}
