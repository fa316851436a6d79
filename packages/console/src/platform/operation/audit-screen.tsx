/** The audit log: who changed what, when and why, with the values before and after. */
import { Code, Stack, Title } from '@mantine/core';
import { useState } from 'react';
import { type AuditEntry, useAdminList } from '../../api/admin.ts';
import { DrawerLink, SideDrawer } from '../../components/dialog/side-drawer.tsx';
import { type Column, DataTable } from '../../components/list/data-table.tsx';
import { Empty } from '../../components/page/loaded.tsx';
import { Page } from '../../components/page/page.tsx';
import { actInWords } from '../../components/values/acts.ts';
import { Facts } from '../../components/values/facts.tsx';
import { RawJson } from '../../components/values/raw-json.tsx';
import { Time } from '../../components/values/time.tsx';
import { PlatformExport } from '../allowed.tsx';
import { Actor } from '../people/actor.tsx';
import { textsOf } from '../../texts/texts.ts';

const t = textsOf('platform-operation');

const columnsOf = (open: (entry: AuditEntry) => void): Column<AuditEntry>[] => [
  {
    header: t('action'),
    wide: true,
    cell: (entry) => <DrawerLink onClick={() => open(entry)}>{actInWords(entry.action)}</DrawerLink>,
  },
  { header: t('object'), cell: ({ target }) => <span className="identifier">{target}</span> },
  { header: t('person'), cell: ({ actor }) => <Actor of={actor} /> },
  { header: t('reason'), cell: ({ reason }) => <span className="wrap">{reason ?? '–'}</span> },
  { header: t('time'), cell: ({ at }) => <Time at={at} /> },
];

export function AuditScreen() {
  const list = useAdminList<AuditEntry>('/audit-log');
  const [opened, setOpened] = useState<AuditEntry | null>(null);
  return (
    <Page
      title={t('audit_log')}
      about={t('all_changes_sign_ins_exports_and')}
      actions={<PlatformExport path="/admin/v1/audit-log" />}
    >
      <DataTable
        name={t('audit_log')}
        columns={columnsOf(setOpened)}
        rows={list.rows}
        list={list}
        rowKey={({ audit_id }) => audit_id}
        onOpen={setOpened}
        empty={<Empty title={t('no_entries_yet')} />}
      />
      <SideDrawer
        opened={opened !== null}
        onClose={() => setOpened(null)}
        title={opened && actInWords(opened.action)}
      >
        {opened !== null && (
          <Stack>
            <Facts
              of={[
                [t('action'), <Code key="action">{opened.action}</Code>],
                [t('object'), opened.target],
                [t('person'), <Actor key="by" of={opened.actor} />],
                [t('time'), <Time key="at" at={opened.at} />],
                [t('reason'), opened.reason ?? '–'],
                [t('ip_address'), opened.address ?? '–'],
                [t('session'), opened.session_id ?? '–'],
              ]}
            />
            <Title order={3} size="h5">
              {t('before')}
            </Title>
            <RawJson value={opened.before} name={t('state_before')} />
            <Title order={3} size="h5">
              {t('after')}
            </Title>
            <RawJson value={opened.after} name={t('state_after')} />
          </Stack>
        )}
      </SideDrawer>
    </Page>
  );
}
