/** The result of a comparison. */
import { Button, SegmentedControl, Stack } from '@mantine/core';
import type { OwnRecord, ReconciledOrder, Reconciliation } from '@paydesk/sdk/reconcile';
import { IconDownload } from '@tabler/icons-react';
import { useState } from 'react';
import { Stat, Stats } from '../../components/figures/stat.tsx';
import { Panel } from '../../components/page/panel.tsx';
import { csvOf, download } from './csv.ts';
import { findingCsv, type FindingKind, findingsOf, FindingsTable, kindNames } from './findings.tsx';
import { textsOf } from '../../texts/texts.ts';

const t = textsOf('wallet');

export type Result = Reconciliation<OwnRecord, ReconciledOrder>;

/** The counts by kind, and the findings to look through or to save. */
export function Outcome({ result, merchant_no }: { result: Result; merchant_no: string }) {
  const findings = findingsOf(result);
  const [kind, setKind] = useState<FindingKind | 'all'>('all');
  const count = (one: FindingKind) => findings.filter((finding) => finding.kind === one).length;
  const shown = kind === 'all' ? findings : findings.filter((finding) => finding.kind === kind);
  return (
    <Panel
      title={t('result')}
      actions={
        <Button
          variant="default"
          leftSection={<IconDownload size={16} />}
          onClick={() =>
            download(
              'reconciliation.csv',
              csvOf([
                findingCsv.map(({ header }) => header),
                ...findings.map((row) => findingCsv.map(({ text }) => text(row))),
              ]),
            )
          }
        >
          {t('export_csv')}
        </Button>
      }
    >
      <Stack>
        <Stats small>
          {(Object.keys(kindNames) as FindingKind[]).map((one) => (
            <Stat
              key={one}
              name={kindNames[one]}
              value={count(one)}
              tone={one === 'match' || count(one) === 0 ? 'calm' : 'alarm'}
            />
          ))}
        </Stats>
        <div className="scroll-x">
          <SegmentedControl
            aria-label={t('show')}
            value={kind}
            onChange={(value) => setKind(value)}
            data={[
              { value: 'all', label: t('all') },
              ...(Object.keys(kindNames) as FindingKind[]).map((one) => ({
                value: one,
                label: kindNames[one],
              })),
            ]}
          />
        </div>
        <FindingsTable findings={shown} merchant_no={merchant_no} />
      </Stack>
    </Panel>
  );
}
