/** What an order has lost: its refunds, complaints and cases. */
import { Group, Stack } from '@mantine/core';
import { adminCall, type Complaint, type OrderDetail, type Refund } from '../../api/admin.ts';
import { part } from '../../api/call.ts';
import { PlatformAction } from '../allowed.tsx';
import { optional, reasonField, textOf } from '../../components/dialog/fields.ts';
import { type Column, DataTable } from '../../components/list/data-table.tsx';
import { Panel } from '../../components/page/panel.tsx';
import { Amount } from '../../components/values/money.tsx';
import { Status, words } from '../../components/values/status.tsx';
import { Time } from '../../components/values/time.tsx';
import { CaseLink } from '../cases/case-moves.tsx';
import { disputeOutcome } from '../../order/dispute-outcome.ts';
import { textsOf } from '../../texts/texts.ts';
import { complaintReason } from './complaint-words.ts';
import { Lost } from './lost.tsx';

const t = textsOf('platform-orders');

/** The columns of refunds. */
export const refundColumns: Column<Refund>[] = [
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

/** The columns of complaints, with the decision if one is open. */
export const complaintColumns: Column<Complaint>[] = [
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

function ComplaintDecision({ complaint }: { complaint: Complaint }) {
  const { complaint_id, status, currency, decided_at, source } = complaint;
  if (status !== 'open') return <Time at={decided_at} />;
  const isPtk = currency === 'PTK';
  const decide = (body: Record<string, unknown>) =>
    adminCall<Complaint>('POST', `/complaints/${part(complaint_id)}/decision`, { body });
  return (
    <Group gap={6} wrap="nowrap">
      <PlatformAction
        allows="money"
        label={t('dismiss')}
        size="xs"
        title={t('dismiss_the_dispute')}
        confirm={t('dismiss')}
        fields={[reasonField]}
        consequences={() => [t('the_frozen_amount_is_released')]}
        submit={(values) => decide({ decision: 'dismiss', reason: textOf(values, 'reason') })}
        done={() => t('dismissed')}
      />
      <PlatformAction
        allows="money"
        label={t('accept')}
        size="xs"
        color="red"
        title={t('accept_the_dispute')}
        confirm={t('confirm_loss')}
        danger
        fields={[
          {
            name: 'loss_amount',
            label: t('loss'),
            unit: currency,
            about: t('leave_empty_for_the_full_remaining'),
            kind: 'amount',
          },
          ...(isPtk
            ? []
            : [
                {
                  name: 'external_cost',
                  label: t('external_costs'),
                  about: t('what_the_provider_charges_for_the'),
                  unit: currency,
                  kind: 'amount',
                } as const,
              ]),
          reasonField,
        ]}
        consequences={() => [
          t('the_loss_is_deducted_from_the'),
          // A loss is booked as what the buyer's bank has taken back; only a wallet is paid by it (D-982).
          source === 'provider'
            ? t('the_provider_has_already_refunded_the')
            : isPtk
              ? t('the_buyer_gets_the_loss_as_ptk')
              : t('the_buyer_gets_no_money_by_this'),
          t('this_cannot_be_undone'),
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
