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
import { numberText } from '../../texts/format.ts';
import { textsOf } from '../../texts/texts.ts';

const t = textsOf('platform-money');

type Check = Verifications['checks'][number];
type Standing = Verifications['findings'][number];

const kinds: Record<Check['kind'], string> = { full: t('full'), incremental: t('incremental') };

const checkColumns: Column<Check>[] = [
  { header: t('checked'), cell: ({ verified_at }) => <Time at={verified_at} /> },
  { header: t('scope_of_the_check'), cell: ({ kind }) => kinds[kind] },
  { header: t('run_by'), cell: ({ verified_by }) => <span className="identifier">{verified_by}</span> },
  { header: t('entries'), cell: ({ entries }) => numberText(entries) },
  { header: t('findings'), cell: ({ findings }) => numberText(findings) },
  { header: t('duration'), cell: ({ duration_ms }) => `${(duration_ms / 1_000).toFixed(1)} s` },
];

const findingColumns: Column<Standing>[] = [
  { header: t('since'), cell: ({ found_at }) => <Time at={found_at} /> },
  { header: t('type_2'), cell: ({ kind }) => words(kind) },
  { header: t('book'), cell: ({ book }) => <span className="identifier">{book ?? t('a_person')}</span> },
  { header: t('object'), cell: ({ subject }) => <span className="identifier">{subject}</span> },
  { header: t('finding'), wide: true, cell: (finding) => finding.words },
];

export function ChecksPanel() {
  const kept = useQuery({
    ...adminQuery<Verifications>('/ledger/verifications'),
    refetchInterval: 60_000,
  });
  return (
    <Panel title={t('checks')} about={t('a_worker_checks_new_entries_every')}>
      <Loaded of={kept}>
        {({ checks, findings }) => (
          <Stack>
            {findings.length > 0 && (
              <>
                <Alert
                  color="red"
                  icon={<IconAlertTriangle size={18} />}
                  title={t('the_books_do_not_balance')}
                  role="alert"
                >
                  <Text size="sm">{t('count_open_findings', { count: findings.length })}</Text>
                </Alert>
                <DataTable
                  name={t('open_findings')}
                  columns={findingColumns}
                  rows={findings}
                  rowKey={({ kind, book, subject, words: text }) =>
                    `${kind} ${book ?? ''} ${subject} ${text}`
                  }
                  empty={<Empty title={t('none')} />}
                />
              </>
            )}
            <DataTable
              name={t('checks')}
              columns={checkColumns}
              rows={checks}
              rowKey={({ verified_at, verified_by }) => `${verified_at} ${verified_by}`}
              empty={<Empty title={t('no_checks_yet')} />}
            />
          </Stack>
        )}
      </Loaded>
    </Panel>
  );
}
