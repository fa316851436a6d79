/** The verification of the ledger from its first entry. Workers make it by themselves; here it runs on request, because it reads everything. */
import { Alert, Button, Stack, Text } from '@mantine/core';
import { IconCircleCheck, IconRefresh, IconAlertTriangle } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { adminQuery, type Verification, type Verifications } from '../../api/admin.ts';
import { Stat, Stats } from '../../components/figures/stat.tsx';
import { type Column, DataTable } from '../../components/list/data-table.tsx';
import { Empty, Failure } from '../../components/page/loaded.tsx';
import { Page } from '../../components/page/page.tsx';
import { Panel } from '../../components/page/panel.tsx';
import { words } from '../../components/values/status.tsx';
import { AccountsPanel } from './accounts-panel.tsx';
import { OwedPanel } from './owed-panel.tsx';
import { ChecksPanel } from './checks-panel.tsx';
import { numberText } from '../../texts/format.ts';
import { textsOf } from '../../texts/texts.ts';

const t = textsOf('platform-money');

type Finding = Verification['findings'][number];

const columns: Column<Finding>[] = [
  { header: t('type_2'), cell: ({ kind }) => words(kind) },
  { header: t('book'), cell: ({ book }) => <span className="identifier">{book ?? t('a_person')}</span> },
  { header: t('object'), cell: ({ subject }) => <span className="identifier">{subject}</span> },
  { header: t('finding'), wide: true, cell: (finding) => finding.words },
];

export function LedgerScreen() {
  const queries = useQueryClient();
  const check = useQuery({
    ...adminQuery<Verification>('/ledger/verification'),
    enabled: false,
    staleTime: 0,
  });
  const run = async (): Promise<void> => {
    await check.refetch();
    await queries.invalidateQueries(adminQuery<Verifications>('/ledger/verifications'));
  };
  return (
    <Page title={t('ledger')} about={t('every_movement_of_money_is_a')}>
      <OwedPanel />
      <Panel
        title={t('verification')}
        about={t('checks_that_debits_equal_credits_in')}
        actions={
          <Button
            leftSection={<IconRefresh size={16} />}
            loading={check.isFetching}
            onClick={() => void run()}
          >
            {t('check_the_books_now')}
          </Button>
        }
      >
        {check.isError ? (
          // Not beside the result of an earlier check, which would look like its own.
          <Failure error={check.error} retry={() => void run()} />
        ) : check.data === undefined ? (
          <Text c="dimmed" size="sm">
            {check.isFetching ? t('checking_all_entries') : t('not_checked_since_you_opened_this')}
          </Text>
        ) : (
          <Outcome of={check.data} />
        )}
      </Panel>
      <ChecksPanel />
      <AccountsPanel />
    </Page>
  );
}

function Outcome({ of }: { of: Verification }) {
  return (
    <Stack>
      {of.ok ? (
        <Alert color="teal" icon={<IconCircleCheck size={18} />} title={t('the_books_balance')}>
          {t('all_entries_add_up_exactly')}
        </Alert>
      ) : (
        <Alert
          color="red"
          icon={<IconAlertTriangle size={18} />}
          title={t('the_books_do_not_balance_2')}
          role="alert"
        >
          {t('count_findings_the_check_changed_nothing', { count: of.findings.length })}
        </Alert>
      )}
      <Stats>
        <Stat name={t('entries')} value={numberText(of.entries)} />
        <Stat
          name={t('imbalances')}
          value={of.imbalances.length}
          tone={of.imbalances.length > 0 ? 'alarm' : 'calm'}
        />
        <Stat
          name={t('balances_that_differ')}
          value={of.drift.length}
          tone={of.drift.length > 0 ? 'alarm' : 'calm'}
        />
      </Stats>
      {of.findings.length > 0 && (
        <DataTable
          name={t('findings')}
          columns={columns}
          rows={of.findings}
          rowKey={({ kind, book, subject, words: text }) => `${kind} ${book ?? ''} ${subject} ${text}`}
          empty={<Empty title={t('none')} />}
        />
      )}
    </Stack>
  );
}
