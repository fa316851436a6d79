/** Disputes at the card provider by their deadline (D-342). */
import { useQuery } from '@tanstack/react-query';
import { adminQuery, type Dispute, type ListedDispute, useAdminList } from '../../api/admin.ts';
import { part } from '../../api/call.ts';
import { DrawerLink, SideDrawer } from '../../components/dialog/side-drawer.tsx';
import { type Column, DataTable } from '../../components/list/data-table.tsx';
import { Filters } from '../../components/list/filters.tsx';
import { pick, useView } from '../../components/list/view-state.ts';
import { Empty, Loaded } from '../../components/page/loaded.tsx';
import { Panel } from '../../components/page/panel.tsx';
import { Amount } from '../../components/values/money.tsx';
import { words } from '../../components/values/status.tsx';
import { MarkedStatus } from '../../components/values/test-mark.tsx';
import { PlatformExport } from '../allowed.tsx';
import { useMerchantName } from '../lookups.ts';
import { DisputeDetails } from './dispute-details.tsx';
import { Due } from './due.tsx';
import { textsOf } from '../../texts/texts.ts';

const t = textsOf('platform-disputes');

const filters = [
  {
    kind: 'choice',
    name: 'stage',
    label: t('stage'),
    choices: [
      ['to_answer', words('to_answer')],
      ['under_review', words('under_review')],
      ['ended', words('ended')],
    ],
    initial: 'to_answer',
  },
] as const;

export const amountOf = ({ amount, currency }: Pick<Dispute, 'amount' | 'currency'>) =>
  amount === null ? '–' : <Amount amount={amount} currency={currency} />;

export function DisputeQueue() {
  const [view, change] = useView();
  const query = { stage: 'to_answer', ...pick(view, ['stage']) };
  const list = useAdminList<ListedDispute>('/disputes', query);
  const nameOf = useMerchantName();
  const open = ({ dispute_id }: ListedDispute) => change({ dispute_id });
  const opened = useQuery({
    ...adminQuery<Dispute>(`/disputes/${part(view.dispute_id ?? '')}`),
    enabled: view.dispute_id !== undefined,
  });
  const columns: Column<ListedDispute>[] = [
    {
      header: t('reason'),
      wide: true,
      cell: (one) => <DrawerLink onClick={() => open(one)}>{words(one.reason)}</DrawerLink>,
    },
    {
      header: t('evidence_due'),
      cell: ({ due_by, stage }) => <Due at={due_by} waits={stage === 'to_answer'} short />,
    },
    { header: t('status'), cell: ({ state, test_mode }) => <MarkedStatus value={state} test={test_mode} /> },
    { header: t('amount'), end: true, cell: amountOf },
    {
      header: t('merchant'),
      cell: ({ merchant_no }) => (merchant_no === null ? t('platform') : nameOf(merchant_no)),
    },
  ];
  return (
    <Panel
      title={t('disputes_by_deadline')}
      about={t('answer_a_bank_with_evidence')}
      actions={<PlatformExport path="/admin/v1/disputes" query={query} />}
    >
      <Filters filters={filters} label={t('disputes_by_deadline')} />
      <DataTable
        name={t('disputes_by_deadline')}
        columns={columns}
        rows={list.rows}
        list={list}
        rowKey={({ dispute_id }) => dispute_id}
        onOpen={open}
        empty={<Empty title={t('no_disputes_here')}>{t('disputes_appear_here_when_a_bank')}</Empty>}
      />
      <SideDrawer
        opened={view.dispute_id !== undefined}
        onClose={() => change({ dispute_id: '' })}
        title={opened.data === undefined ? t('dispute') : words(opened.data.reason)}
      >
        {view.dispute_id !== undefined && <Loaded of={opened}>{(one) => <DisputeDetails of={one} />}</Loaded>}
      </SideDrawer>
    </Panel>
  );
}
