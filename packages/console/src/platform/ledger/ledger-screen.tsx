/** The verification of the ledger from its first entry. Workers make it by themselves; here it runs on request, because it reads everything. */
import { Alert, Button, SimpleGrid, Stack, Text } from '@mantine/core';
import { IconCircleCheck, IconRefresh, IconAlertTriangle } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { adminQuery, type Verification, type Verifications } from '../../api/admin.ts';
import { Stat } from '../../components/figures/stat.tsx';
import { type Column, DataTable } from '../../components/list/data-table.tsx';
import { Empty, Failure } from '../../components/page/loaded.tsx';
import { Page } from '../../components/page/page.tsx';
import { Panel } from '../../components/page/panel.tsx';
import { words } from '../../components/values/status.tsx';
import { AccountsPanel } from './accounts-panel.tsx';
import { ChecksPanel } from './checks-panel.tsx';

type Finding = Verification['findings'][number];

const columns: Column<Finding>[] = [
  { header: 'Kind', cell: ({ kind }) => words(kind) },
  { header: 'Book', cell: ({ book }) => <span className="identifier">{book ?? 'A person'}</span> },
  { header: 'On', cell: ({ subject }) => <span className="identifier">{subject}</span> },
  { header: 'What is wrong', wide: true, cell: (finding) => finding.words },
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
    <Page
      title="Ledger"
      about="Every movement of money is an entry with two sides. Checking adds all of them up again."
    >
      <Panel
        title="Verification"
        about="Debits equal credits in every entry and currency; stored balances equal rebuilt ones; nothing that must not be is below zero; orders and books agree."
        actions={
          <Button
            leftSection={<IconRefresh size={16} />}
            loading={check.isFetching}
            onClick={() => void run()}
          >
            Check the books now
          </Button>
        }
      >
        {check.data === undefined ? (
          check.isError ? (
            <Failure error={check.error} retry={() => void run()} />
          ) : (
            <Text c="dimmed" size="sm">
              {check.isFetching ? 'Adding up every entry …' : 'Not checked since this page was opened.'}
            </Text>
          )
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
        <Alert color="teal" icon={<IconCircleCheck size={18} />} title="The books balance">
          Everything adds up, to the last unit.
        </Alert>
      ) : (
        <Alert
          color="red"
          icon={<IconAlertTriangle size={18} />}
          title="The books do not balance"
          role="alert"
        >
          {of.findings.length} findings. Nothing has been changed by checking.
        </Alert>
      )}
      <SimpleGrid cols={{ base: 1, xs: 3 }}>
        <Stat name="Entries" value={of.entries.toLocaleString('en')} />
        <Stat
          name="Imbalances"
          value={of.imbalances.length}
          tone={of.imbalances.length > 0 ? 'alarm' : 'calm'}
        />
        <Stat
          name="Balances that drifted"
          value={of.drift.length}
          tone={of.drift.length > 0 ? 'alarm' : 'calm'}
        />
      </SimpleGrid>
      {of.findings.length > 0 && (
        <DataTable
          name="Findings"
          columns={columns}
          rows={of.findings}
          rowKey={({ kind, book, subject, words: text }) => `${kind} ${book ?? ''} ${subject} ${text}`}
          empty={<Empty title="None" />}
        />
      )}
    </Stack>
  );
}
