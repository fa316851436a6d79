/** The writes of money that wait for a second person: what was asked, by whom, and the decision. */
import { Group, Stack, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { adminCall, adminQuery, type Approval, useAdminList } from '../../api/admin.ts';
import { part } from '../../api/call.ts';
import { sessionQuery } from '../../api/session.ts';
import { PlatformAction, PlatformExport } from '../allowed.tsx';
import { type Field, optional, reasonField, textOf } from '../../components/dialog/fields.ts';
import { DrawerLink, SideDrawer } from '../../components/dialog/side-drawer.tsx';
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
import { Target } from '../people/target.tsx';
import { writeInWords } from './write-in-words.ts';
import { textOfError, textsOf } from '../../texts/texts.ts';

const t = textsOf('platform-operation');

const filters = [
  {
    kind: 'choice',
    name: 'status',
    label: t('status'),
    choices: [
      ['pending', t('pending')],
      ['approved', t('approved')],
      ['rejected', t('rejected')],
      ['failed', t('failed')],
    ],
  },
] as const;

const columnsOf = (open: (approval: Approval) => void): Column<Approval>[] => [
  {
    header: t('action'),
    wide: true,
    cell: (approval) => (
      <DrawerLink onClick={() => open(approval)}>{writeInWords(approval.action)}</DrawerLink>
    ),
  },
  { header: t('amount'), end: true, cell: ({ amount_ptk }) => <AmountOf amount_ptk={amount_ptk} /> },
  { header: t('status'), cell: ({ status }) => <Status value={status} /> },
  { header: t('requested_by'), cell: ({ asked_by }) => <Actor of={asked_by} /> },
  { header: t('requested'), cell: ({ asked_at }) => <Time at={asked_at} /> },
  { header: t('object'), cell: ({ target }) => <Target of={target} /> },
  { header: t('decision'), cell: (approval) => <Decision approval={approval} /> },
];

export function ApprovalsScreen() {
  const [view] = useView();
  const list = useAdminList<Approval>('/approvals', pick(view, ['status']));
  const [opened, setOpened] = useState<Approval | null>(null);
  return (
    <Page
      title={t('approvals')}
      about={t('large_money_movements_wait_here_until')}
      actions={<PlatformExport path="/admin/v1/approvals" query={pick(view, ['status'])} />}
    >
      <Filters filters={filters} />
      <DataTable
        name={t('approvals')}
        columns={columnsOf(setOpened)}
        rows={list.rows}
        list={list}
        rowKey={({ approval_id }) => approval_id}
        onOpen={setOpened}
        empty={<Empty title={t('nothing_to_approve')}>{t('large_movements_of_money_wait')}</Empty>}
      />
      <SideDrawer
        opened={opened !== null}
        onClose={() => setOpened(null)}
        title={opened === null ? '' : writeInWords(opened.action)}
      >
        {opened !== null && <Details approval={opened} />}
      </SideDrawer>
    </Page>
  );
}

/** The amount is unknown if there is no rate for its currency. */
const AmountOf = ({ amount_ptk }: Pick<Approval, 'amount_ptk'>) =>
  amount_ptk === null ? t('no_rate') : <Ptk minor={amount_ptk} />;

/** Read by itself: once it is decided, it may be gone from a list that is narrowed (D-1219). */
function Details({ approval: shown }: { approval: Approval }) {
  const { data: approval = shown } = useQuery(adminQuery<Approval>(`/approvals/${part(shown.approval_id)}`));
  const { decided_by, decided_at } = approval;
  return (
    <Stack>
      <Facts
        of={[
          [t('status'), <Status key="status" value={approval.status} />],
          [t('object'), <Target key="object" of={approval.target} />],
          [t('amount'), <AmountOf key="amount" amount_ptk={approval.amount_ptk} />],
          [t('requested_by'), <Actor key="by" of={approval.asked_by} />],
          [t('requested'), <Time key="at" at={approval.asked_at} />],
          [t('reason'), approval.reason ?? '–'],
          [t('decided_by'), decided_by === null ? '–' : <Actor key="decided" of={decided_by} />],
          [t('decided'), decided_at === null ? '–' : <Time key="decided_at" at={decided_at} />],
          [t('reason_for_the_decision'), approval.decision_reason ?? '–'],
          ...(approval.failure === null
            ? []
            : ([
                [
                  t('failure_reason'),
                  textOfError(approval.failure.error, approval.failure.error_description),
                ],
              ] as const)),
        ]}
      />
      {approval.status === 'pending' && <Decision approval={approval} />}
      <Title order={3} size="h5">
        {t('request')}
      </Title>
      <RawJson value={approval.request} name={t('request_2')} />
    </Stack>
  );
}

/** What is decided: the dialog covers the list where it was chosen (D-1328). */
const Decided = ({ of: { target, amount_ptk, asked_by } }: { of: Approval }) => (
  <Facts
    of={[
      [t('object'), <Target key="object" of={target} />],
      [t('amount'), <AmountOf key="amount" amount_ptk={amount_ptk} />],
      [t('requested_by'), <Actor key="by" of={asked_by} />],
    ]}
  />
);

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
          label={t('approve')}
          size="xs"
          title={t('approve_action', { action: writeInWords(approval.action) })}
          about={<Decided of={approval} />}
          confirm={t('approve')}
          fields={[consentField]}
          consequences={() => [t('the_request_is_checked_again_and'), t('the_audit_log_records_both_of')]}
          submit={(values) =>
            adminCall<Approval>('POST', `${at}/approve`, { body: optional(values, 'reason') })
          }
          done={() => t('approved_and_booked')}
        />
      )}
      <PlatformAction
        allows={isOwn ? 'cases' : 'money'}
        label={isOwn ? t('withdraw') : t('reject')}
        size="xs"
        color="red"
        title={`${isOwn ? t('withdraw') : t('reject')}: ${writeInWords(approval.action)}`}
        about={<Decided of={approval} />}
        confirm={isOwn ? t('withdraw') : t('reject')}
        danger
        fields={[reasonField]}
        consequences={() => [t('nothing_is_booked_it_can_be')]}
        submit={(values) =>
          adminCall<Approval>('POST', `${at}/reject`, { body: { reason: textOf(values, 'reason') } })
        }
        done={() => (isOwn ? t('request_withdrawn') : t('request_rejected'))}
      />
    </Group>
  );
}
