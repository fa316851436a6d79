import { Group, SegmentedControl } from '@mantine/core';
import { IconCheck, IconPlus, IconX } from '@tabler/icons-react';
import { useState } from 'react';
import { adminCall, useAdminList, type Withdrawal } from '../../api/admin.ts';
import { part } from '../../api/call.ts';
import { PlatformAction, PlatformExport } from '../allowed.tsx';
import {
  isDecimal,
  ptkField,
  ptkOf,
  reasonField,
  referenceField,
  textOf,
} from '../../components/dialog/fields.ts';
import { type Column, DataTable } from '../../components/list/data-table.tsx';
import { useView } from '../../components/list/view-state.ts';
import { AppLink } from '../../components/page/link.tsx';
import { Empty } from '../../components/page/loaded.tsx';
import { Page } from '../../components/page/page.tsx';
import { Amount, Ptk } from '../../components/values/money.tsx';
import { Status } from '../../components/values/status.tsx';
import { Time } from '../../components/values/time.tsx';
import { ptkText } from '../../money/money.ts';
import { merchantFinder, useCurrencies, useMerchantName } from '../lookups.ts';

/** The withdrawals of merchants, and the decision on each. */
export function WithdrawalsScreen() {
  const [view, setView] = useView();
  const status = view.status ?? 'pending';
  // What waits is a queue: the longest wait comes first.
  const query = status === 'pending' ? { status, order: 'oldest' } : status === 'all' ? {} : { status };
  const list = useAdminList<Withdrawal>('/withdrawals', query);
  const nameOf = useMerchantName();
  const [now] = useState(() => Date.now());
  const columns: Column<Withdrawal>[] = [
    {
      header: 'Merchant',
      wide: true,
      cell: ({ merchant_no }) => (
        <AppLink to="/platform/merchants/$merchant_no" params={{ merchant_no }} className="wrap">
          {nameOf(merchant_no)}
        </AppLink>
      ),
    },
    { header: 'Taken out', end: true, cell: ({ amount_ptk }) => <Ptk minor={amount_ptk} /> },
    {
      header: 'Paid out',
      end: true,
      cell: ({ payout_amount, payout_currency }) => (
        <Amount amount={payout_amount} currency={payout_currency} />
      ),
    },
    { header: 'Status', cell: ({ status }) => <Status value={status} /> },
    { header: 'Reference', cell: ({ reference }) => <span className="identifier">{reference}</span> },
    { header: 'Requested', cell: (row) => <Age of={row} now={now} /> },
    { header: 'Decision', cell: (row) => <Decision withdrawal={row} name={nameOf(row.merchant_no)} /> },
  ];
  return (
    <Page
      title="Withdrawals"
      about="The PTK are set aside when a withdrawal is requested. They are gone once it is paid, and back if it is rejected."
      actions={
        <>
          <PlatformExport path="/admin/v1/withdrawals" query={query} />
          <NewWithdrawal />
        </>
      }
    >
      <SegmentedControl
        aria-label="Withdrawals"
        size="xs"
        fullWidth
        maw={420}
        value={status}
        onChange={(chosen) => setView({ status: chosen === 'pending' ? '' : chosen })}
        data={[
          { value: 'pending', label: 'Waiting' },
          { value: 'paid', label: 'Paid' },
          { value: 'rejected', label: 'Rejected' },
          { value: 'all', label: 'All' },
        ]}
      />
      <DataTable
        name="Withdrawals"
        columns={columns}
        rows={list.rows}
        list={list}
        rowKey={({ withdrawal_id }) => withdrawal_id}
        empty={<Empty title={status === 'pending' ? 'No withdrawal waits' : 'No withdrawals'} />}
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
      {isLate && <Status value="review" label="Late" />}
    </Group>
  );
}

function Decision({ withdrawal, name }: { withdrawal: Withdrawal; name: string }) {
  if (withdrawal.status !== 'pending') return <Time at={withdrawal.decided_at} />;
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
        label="Paid"
        size="xs"
        icon={<IconCheck size={14} />}
        title="This withdrawal was paid"
        confirm="It was paid"
        fields={[reasonField]}
        consequences={() => [
          `You have paid ${payout_amount} ${payout_currency} to ${name}.`,
          `${amount} leave its wallet for good.`,
        ]}
        submit={(values) => decide('paid', textOf(values, 'reason'))}
        done={() => 'Booked as paid.'}
      />
      <PlatformAction
        allows="money"
        label="Reject"
        size="xs"
        color="red"
        icon={<IconX size={14} />}
        title="Reject this withdrawal"
        confirm="Reject"
        danger
        fields={[reasonField]}
        consequences={() => [`${amount} become available to ${name} again.`, 'Nothing is paid out.']}
        submit={(values) => decide('reject', textOf(values, 'reason'))}
        done={() => 'Rejected.'}
      />
    </Group>
  );
}

function NewWithdrawal() {
  const currencies = useCurrencies();
  return (
    <PlatformAction
      allows="money"
      label="New withdrawal"
      variant="filled"
      icon={<IconPlus size={16} />}
      title="Withdraw for a merchant"
      confirm="Request"
      fields={[
        {
          name: 'merchant_no',
          label: 'Merchant',
          kind: 'choice',
          required: true,
          finder: merchantFinder,
        },
        ptkField(),
        {
          name: 'payout_currency',
          label: 'Paid out in',
          kind: 'choice',
          required: true,
          choices: currencies
            .filter(({ code }) => code !== 'PTK')
            .map(({ code }) => ({ value: code, label: code })),
        },
        {
          name: 'payout_amount',
          label: 'Amount paid out',
          required: true,
          check: (value) => isDecimal(value),
        },
        referenceField,
      ]}
      consequences={() => ['The PTK are set aside at once: nothing else can use them until you decide.']}
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
      done={() => 'Requested.'}
    />
  );
}
