/** The audit log: who changed what, when and why, with the values before and after. */
import { Anchor, Drawer, Stack, Text, Title } from '@mantine/core';
import { useState } from 'react';
import { type AuditEntry, useAdminList } from '../../api/admin.ts';
import { type Column, DataTable } from '../../components/list/data-table.tsx';
import { Empty } from '../../components/page/loaded.tsx';
import { Page } from '../../components/page/page.tsx';
import { Facts } from '../../components/values/facts.tsx';
import { RawJson } from '../../components/values/raw-json.tsx';
import { Time } from '../../components/values/time.tsx';
import { PlatformExport } from '../allowed.tsx';
import { Actor } from '../people/actor.tsx';

const columnsOf = (open: (entry: AuditEntry) => void): Column<AuditEntry>[] => [
  {
    header: 'What',
    wide: true,
    cell: (entry) => (
      <Anchor component="button" type="button" ta="start" size="sm" fw={600} onClick={() => open(entry)}>
        {entry.action}
      </Anchor>
    ),
  },
  { header: 'On', cell: ({ target }) => <span className="identifier">{target}</span> },
  { header: 'By', cell: ({ actor }) => <Actor of={actor} /> },
  { header: 'Reason', cell: ({ reason }) => <span className="wrap">{reason ?? '–'}</span> },
  { header: 'When', cell: ({ at }) => <Time at={at} /> },
];

export function AuditScreen() {
  const list = useAdminList<AuditEntry>('/audit-log');
  const [opened, setOpened] = useState<AuditEntry | null>(null);
  return (
    <Page
      title="Audit log"
      about="Every change, sign-in, export and secret that was shown, newest first. Secrets are never in it."
      actions={<PlatformExport path="/admin/v1/audit-log" />}
    >
      <DataTable
        name="Audit log"
        columns={columnsOf(setOpened)}
        rows={list.rows}
        list={list}
        rowKey={({ audit_id }) => audit_id}
        onOpen={setOpened}
        empty={<Empty title="Nothing has been changed yet" />}
      />
      <Drawer
        opened={opened !== null}
        onClose={() => setOpened(null)}
        position="right"
        size="xl"
        title={<Text fw={650}>{opened?.action}</Text>}
        closeButtonProps={{ 'aria-label': 'Close' }}
      >
        {opened !== null && (
          <Stack>
            <Facts
              of={[
                ['On', opened.target],
                ['By', <Actor key="by" of={opened.actor} />],
                ['When', <Time key="at" at={opened.at} />],
                ['Reason', opened.reason ?? '–'],
                ['From', opened.address ?? '–'],
                ['Session', opened.session_id ?? '–'],
              ]}
            />
            <Title order={3} size="h5">
              Before
            </Title>
            <RawJson value={opened.before} name="state before" />
            <Title order={3} size="h5">
              After
            </Title>
            <RawJson value={opened.after} name="state after" />
          </Stack>
        )}
      </Drawer>
    </Page>
  );
}
