/** The writes of money that wait for a second person: what was asked, by whom, and the decision. */
import { Anchor, Drawer, Group, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { adminCall, type Approval, useAdminList } from '../../api/admin.ts';
import { part } from '../../api/call.ts';
import { sessionQuery } from '../../api/session.ts';
import { PlatformAction, PlatformExport } from '../allowed.tsx';
import { type Field, optional, reasonField, textOf } from '../../components/dialog/fields.ts';
import { type Column, DataTable } from '../../components/list/data-table.tsx';
import { Filters } from '../../components/list/filters.tsx';
import { pick, useView } from '../../components/list/view-state.ts';
import { Empty } from '../../components/page/loaded.tsx';
import { Page } from '../../components/page/page.tsx';
import { Facts } from '../../components/values/facts.tsx';
import { Ptk } from '../../components/values/money.tsx';
import { RawJson } from '../../components/values/raw-json.tsx';
import { Status } from '../../components/values/status.tsx';
import { Time } from '../../components/values/time.tsx';
import { Actor } from '../people/actor.tsx';
import { writeInWords } from './write-in-words.ts';

const filters = [
  {
    kind: 'choice',
    name: 'status',
    label: 'Status',
    choices: [
      ['pending', 'Pending'],
      ['approved', 'Approved'],
      ['rejected', 'Rejected'],
      ['failed', 'Failed'],
    ],
  },
] as const;

const columnsOf = (open: (approval: Approval) => void): Column<Approval>[] => [
  {
    header: 'What',
    wide: true,
    cell: (approval) => (
      <Anchor component="button" type="button" ta="start" size="sm" fw={600} onClick={() => open(approval)}>
        {writeInWords(approval.action)}
      </Anchor>
    ),
  },
  { header: 'On', cell: ({ target }) => <span className="identifier">{target}</span> },
  { header: 'Amount', cell: ({ amount_ptk }) => <AmountOf amount_ptk={amount_ptk} /> },
  { header: 'Asked by', cell: ({ asked_by }) => <Actor of={asked_by} /> },
  { header: 'Asked', cell: ({ asked_at }) => <Time at={asked_at} /> },
  { header: 'Status', cell: ({ status }) => <Status value={status} /> },
  { header: 'Decision', cell: (approval) => <Decision approval={approval} /> },
];

export function ApprovalsScreen() {
  const [view] = useView();
  const list = useAdminList<Approval>('/approvals', pick(view, ['status']));
  const [opened, setOpened] = useState<Approval | null>(null);
  return (
    <Page
      title="Approvals"
      about="Large movements of money wait here until another person approves them. Nothing of them is booked before."
      actions={<PlatformExport path="/admin/v1/approvals" query={pick(view, ['status'])} />}
    >
      <Filters filters={filters} />
      <DataTable
        name="Approvals"
        columns={columnsOf(setOpened)}
        rows={list.rows}
        list={list}
        rowKey={({ approval_id }) => approval_id}
        onOpen={setOpened}
        empty={<Empty title="Nothing waits for a second person" />}
      />
      <Drawer
        opened={opened !== null}
        onClose={() => setOpened(null)}
        position="right"
        size="xl"
        title={<Text fw={650}>{opened === null ? '' : writeInWords(opened.action)}</Text>}
        closeButtonProps={{ 'aria-label': 'Close' }}
      >
        {opened !== null && <Details approval={opened} />}
      </Drawer>
    </Page>
  );
}

/** The amount is unknown if there is no rate for its currency. */
const AmountOf = ({ amount_ptk }: Pick<Approval, 'amount_ptk'>) =>
  amount_ptk === null ? <>No rate</> : <Ptk minor={amount_ptk} />;

function Details({ approval }: { approval: Approval }) {
  const { decided_by, decided_at } = approval;
  return (
    <Stack>
      <Facts
        of={[
          ['Status', <Status key="status" value={approval.status} />],
          ['On', approval.target],
          ['Amount', <AmountOf key="amount" amount_ptk={approval.amount_ptk} />],
          ['Asked by', <Actor key="by" of={approval.asked_by} />],
          ['Asked', <Time key="at" at={approval.asked_at} />],
          ['Reason', approval.reason ?? '–'],
          ['Decided by', decided_by === null ? '–' : <Actor key="decided" of={decided_by} />],
          ['Decided', decided_at === null ? '–' : <Time key="decided_at" at={decided_at} />],
          ['Reason of the decision', approval.decision_reason ?? '–'],
          ...(approval.failure === null
            ? []
            : ([['Why it failed', approval.failure.error_description]] as const)),
        ]}
      />
      <Title order={3} size="h5">
        What was asked
      </Title>
      <RawJson value={approval.request} name="request" />
    </Stack>
  );
}

const consentField: Field = { ...reasonField, required: false };

function Decision({ approval }: { approval: Approval }) {
  const { data: person } = useQuery(sessionQuery);
  const { approval_id, status, decision_reason, asked_by } = approval;
  if (status !== 'pending') return <span className="wrap">{decision_reason ?? '–'}</span>;
  const isOwn = asked_by === `user:${person?.user_id ?? ''}`;
  const at = `/approvals/${part(approval_id)}`;
  return (
    <Group gap={6} wrap="nowrap">
      {!isOwn && (
        <PlatformAction
          allows="money"
          label="Approve"
          size="xs"
          title={`Approve: ${writeInWords(approval.action)}`}
          confirm="Approve"
          fields={[consentField]}
          consequences={() => [
            'It is decided again now, and booked at once.',
            'The audit log names you both.',
          ]}
          submit={(values) =>
            adminCall<Approval>('POST', `${at}/approve`, { body: optional(values, 'reason') })
          }
          done={() => 'Approved and booked.'}
        />
      )}
      <PlatformAction
        allows="money"
        label={isOwn ? 'Take back' : 'Reject'}
        size="xs"
        color="red"
        title={`${isOwn ? 'Take back' : 'Reject'}: ${writeInWords(approval.action)}`}
        confirm={isOwn ? 'Take back' : 'Reject'}
        danger
        fields={[reasonField]}
        consequences={() => ['Nothing is booked. It can be asked for again.']}
        submit={(values) =>
          adminCall<Approval>('POST', `${at}/reject`, { body: { reason: textOf(values, 'reason') } })
        }
        done={() => (isOwn ? 'Taken back.' : 'Rejected.')}
      />
    </Group>
  );
}
