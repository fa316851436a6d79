/** The checks of the books that were kept, and the findings that stand. */
import { Alert, Stack, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { adminQuery, type Verifications } from '../../api/admin.ts';
import { type Column, DataTable } from '../../components/list/data-table.tsx';
import { Empty, Loaded } from '../../components/page/loaded.tsx';
import { Panel } from '../../components/page/panel.tsx';
import { words } from '../../components/values/status.tsx';
import { Time } from '../../components/values/time.tsx';

type Check = Verifications['checks'][number];
type Standing = Verifications['findings'][number];

const kinds: Record<Check['kind'], string> = { full: 'Everything', incremental: 'What was new' };

const checkColumns: Column<Check>[] = [
  { header: 'Checked', cell: ({ verified_at }) => <Time at={verified_at} /> },
  { header: 'What', cell: ({ kind }) => kinds[kind] },
  { header: 'By', cell: ({ verified_by }) => <span className="identifier">{verified_by}</span> },
  { header: 'Entries', cell: ({ entries }) => entries.toLocaleString('en') },
  { header: 'Findings', cell: ({ findings }) => findings.toLocaleString('en') },
  { header: 'Took', cell: ({ duration_ms }) => `${(duration_ms / 1_000).toFixed(1)} s` },
];

const findingColumns: Column<Standing>[] = [
  { header: 'Since', cell: ({ found_at }) => <Time at={found_at} /> },
  { header: 'Kind', cell: ({ kind }) => words(kind) },
  { header: 'Book', cell: ({ book }) => <span className="identifier">{book ?? 'A person'}</span> },
  { header: 'On', cell: ({ subject }) => <span className="identifier">{subject}</span> },
  { header: 'What is wrong', wide: true, cell: (finding) => finding.words },
];

export function ChecksPanel() {
  const kept = useQuery({
    ...adminQuery<Verifications>('/ledger/verifications'),
    refetchInterval: 60_000,
  });
  return (
    <Panel
      title="Checks"
      about="A worker checks every hour what is new, and everything every night. A finding stands until a check looks at it again and does not find it."
    >
      <Loaded of={kept}>
        {({ checks, findings }) => (
          <Stack>
            {findings.length > 0 && (
              <>
                <Alert
                  color="red"
                  icon={<IconAlertTriangle size={18} />}
                  title="The books differ"
                  role="alert"
                >
                  <Text size="sm">
                    {findings.length === 1 ? '1 finding stands.' : `${findings.length} findings stand.`}
                  </Text>
                </Alert>
                <DataTable
                  name="Findings that stand"
                  columns={findingColumns}
                  rows={findings}
                  rowKey={({ kind, book, subject, words: text }) =>
                    `${kind} ${book ?? ''} ${subject} ${text}`
                  }
                  empty={<Empty title="None" />}
                />
              </>
            )}
            <DataTable
              name="Checks"
              columns={checkColumns}
              rows={checks}
              rowKey={({ verified_at, verified_by }) => `${verified_at} ${verified_by}`}
              empty={<Empty title="The books were never checked" />}
            />
          </Stack>
        )}
      </Loaded>
    </Panel>
  );
}
