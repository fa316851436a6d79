import { Group, SegmentedControl } from '@mantine/core';
import { IconCheck, IconPlus, IconX } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { adminCall, type Approval, useAdminList, type Withdrawal } from '../../api/admin.ts';
import { part } from '../../api/call.ts';
import { PlatformAction, PlatformExport } from '../allowed.tsx';
import { ptkField, ptkOf, reasonField, referenceField, textOf } from '../../components/dialog/fields.ts';
import { type Column, DataTable } from '../../components/list/data-table.tsx';
import { useView } from '../../components/list/view-state.ts';
import { AppLink } from '../../components/page/link.tsx';
import { Empty } from '../../components/page/loaded.tsx';
import { Page } from '../../components/page/page.tsx';
import { Amount, Ptk } from '../../components/values/money.tsx';
import { Status } from '../../components/values/status.tsx';
import { Time } from '../../components/values/time.tsx';
import { ptkText } from '../../money/money.ts';
import { allQuery, merchantFinder, useCurrencies, useMerchantName } from '../lookups.ts';
import { decimalText } from '../../texts/format.ts';
import { textsOf } from '../../texts/texts.ts';

const t = textsOf('platform-merchants');
const platform = textsOf('platform');

/** The decisions that wait for a second person. These payouts cannot be decided here once more (D-1451). */
const pendingQuery = allQuery<Approval>('/approvals', { status: 'pending' });
const targetOf = ({ withdrawal_id }: Withdrawal): string => `withdrawal:${withdrawal_id}`;

/** The withdrawals of merchants, and the decision on each. */
export function WithdrawalsScreen() {
  const [view, setView] = useView();
  const status = view.status ?? 'pending';
  // Waiting withdrawals are a queue: the longest wait comes first.
  const query = status === 'pending' ? { status, order: 'oldest' } : status === 'all' ? {} : { status };
  const list = useAdminList<Withdrawal>('/withdrawals', query);
  const nameOf = useMerchantName();
  const asked = useQuery(pendingQuery).data?.map(({ target }) => target) ?? [];
  const [now] = useState(() => Date.now());
  const columns: Column<Withdrawal>[] = [
    {
      header: t('merchant'),
      wide: true,
      cell: ({ merchant_no }) => (
        <AppLink to="/platform/merchants/$merchant_no" params={{ merchant_no }} className="wrap">
          {nameOf(merchant_no)}
        </AppLink>
      ),
    },
    { header: t('amount'), end: true, cell: ({ amount_ptk }) => <Ptk minor={amount_ptk} /> },
    {
      header: t('paid_out'),
      end: true,
      cell: ({ payout_amount, payout_currency }) => (
        <Amount amount={payout_amount} currency={payout_currency} />
      ),
    },
    { header: t('status'), cell: ({ status }) => <Status value={status} /> },
    { header: t('reference'), cell: ({ reference }) => <span className="identifier">{reference}</span> },
    { header: t('requested'), cell: (row) => <Age of={row} now={now} /> },
    {
      header: t('decision'),
      cell: (row) => (
        <Decision withdrawal={row} name={nameOf(row.merchant_no)} isAsked={asked.includes(targetOf(row))} />
      ),
    },
  ];
  return (
    <Page
      title={t('payouts')}
      about={t('the_amount_is_reserved_when_a')}
      actions={
        <>
          <PlatformExport path="/admin/v1/withdrawals" query={query} />
          <NewWithdrawal />
        </>
      }
    >
      <SegmentedControl
        aria-label={t('payouts')}
        size="xs"
        fullWidth
        maw={420}
        value={status}
        onChange={(chosen) => setView({ status: chosen === 'pending' ? '' : chosen })}
        data={[
          { value: 'pending', label: t('waiting') },
          { value: 'paid', label: t('paid') },
          { value: 'rejected', label: t('rejected') },
          { value: 'all', label: t('all') },
        ]}
      />
      <DataTable
        name={t('payouts')}
        columns={columns}
        rows={list.rows}
        list={list}
        rowKey={({ withdrawal_id }) => withdrawal_id}
        empty={
          <Empty title={status === 'pending' ? t('no_payouts_waiting') : t('no_payouts_yet')}>
            {t('request_a_payout_when')}
          </Empty>
        }
      />
    </Page>
  );
}

/** A day is what a person has for a decision. */
const late_ms = 24 * 3_600_000;

/** When it was requested; of what waits, for how long. */
function Age({ of: { status, requested_at }, now }: { of: Withdrawal; now: number }) {
  if (status !== 'pending') return <Time at={requested_at} />;
  const isLate = now - Date.parse(requested_at) > late_ms;
  return (
    <Group gap={6} wrap="nowrap">
      <Time at={requested_at} show="ago" />
      {isLate && <Status value="review" label={t('overdue')} />}
    </Group>
  );
}

interface DecisionProps {
  withdrawal: Withdrawal;
  name: string;
  isAsked: boolean;
}

function Decision({ withdrawal, name, isAsked }: DecisionProps) {
  if (withdrawal.status !== 'pending') return <Time at={withdrawal.decided_at} />;
  if (isAsked) {
    return (
      <AppLink to="/platform/approvals" search={{ status: 'pending' }}>
        {platform('waiting_for_approval')}
      </AppLink>
    );
  }
  const { withdrawal_id, payout_amount, payout_currency } = withdrawal;
  const amount = `${ptkText(BigInt(withdrawal.amount_ptk))} PTK`;
  const decide = (decision: 'paid' | 'reject', reason: string) =>
    adminCall<Withdrawal>('POST', `/withdrawals/${part(withdrawal_id)}/decision`, {
      body: { decision, reason },
    });
  return (
    <Group gap={6} wrap="nowrap">
      <PlatformAction
        allows="money"
        label={t('mark_as_paid')}
        size="xs"
        icon={<IconCheck size={14} />}
        title={t('confirm_this_payout')}
        confirm={t('mark_as_paid')}
        fields={[reasonField]}
        consequences={() => [
          t('you_have_transferred_payout_amount_payout', {
            payout_amount: decimalText(payout_amount),
            payout_currency,
            name,
          }),
          t('amount_leave_its_wallet_for_good', { amount }),
        ]}
        submit={(values) => decide('paid', textOf(values, 'reason'))}
        done={() => t('payout_marked_as_paid')}
      />
      <PlatformAction
        allows="money"
        label={t('reject')}
        size="xs"
        color="red"
        icon={<IconX size={14} />}
        title={t('reject_this_payout')}
        confirm={t('reject')}
        danger
        fields={[reasonField]}
        consequences={() => [
          t('amount_become_available_to_name_again', { amount, name }),
          t('no_money_is_transferred'),
        ]}
        submit={(values) => decide('reject', textOf(values, 'reason'))}
        done={() => t('payout_rejected')}
      />
    </Group>
  );
}

function NewWithdrawal() {
  const currencies = useCurrencies();
  return (
    <PlatformAction
      allows="money"
      label={t('new_payout')}
      variant="filled"
      icon={<IconPlus size={16} />}
      title={t('request_a_payout_for_a_merchant')}
      confirm={t('request')}
      fields={[
        {
          name: 'merchant_no',
          label: t('merchant'),
          kind: 'choice',
          required: true,
          finder: merchantFinder,
        },
        ptkField(),
        {
          name: 'payout_currency',
          label: t('payout_currency'),
          kind: 'choice',
          required: true,
          choices: currencies
            .filter(({ code }) => code !== 'PTK')
            .map(({ code }) => ({ value: code, label: code })),
        },
        {
          name: 'payout_amount',
          label: t('payout_amount'),
          required: true,
          kind: 'amount',
        },
        referenceField,
      ]}
      consequences={() => [t('the_amount_is_reserved_at_once')]}
      submit={(values) =>
        adminCall<Withdrawal>('POST', '/withdrawals', {
          body: {
            merchant_no: textOf(values, 'merchant_no'),
            amount_ptk: ptkOf(values),
            payout_currency: textOf(values, 'payout_currency'),
            payout_amount: textOf(values, 'payout_amount'),
            reference: textOf(values, 'reference'),
          },
        })
      }
      done={() => t('payout_requested')}
    />
  );
}
