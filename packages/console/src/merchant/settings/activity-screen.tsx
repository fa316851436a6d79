/** What the merchant's people did in this console (D-223). */
import { Code } from '@mantine/core';
import { useState } from 'react';
import { answerOf, api, type components } from '../../api/client.ts';
import { useList } from '../../api/list.ts';
import { DrawerLink, SideDrawer } from '../../components/dialog/side-drawer.tsx';
import { type Column, DataTable } from '../../components/list/data-table.tsx';
import { Empty } from '../../components/page/loaded.tsx';
import { Page } from '../../components/page/page.tsx';
import { Panel } from '../../components/page/panel.tsx';
import { actInWords, kindOf, nameOf } from '../../components/values/acts.ts';
import { Facts } from '../../components/values/facts.tsx';
import { RawJson } from '../../components/values/raw-json.tsx';
import { Time } from '../../components/values/time.tsx';
import { useMerchantNo } from '../merchant-no.ts';
import { textsOf } from '../../texts/texts.ts';

const t = textsOf('team');

type Activity = components['schemas']['ActivityPage']['items'][number];

const columnsOf = (open: (activity: Activity) => void): Column<Activity>[] => [
  {
    header: t('action'),
    wide: true,
    cell: (activity) => <DrawerLink onClick={() => open(activity)}>{actInWords(activity.action)}</DrawerLink>,
  },
  {
    header: t('person'),
    cell: ({ person }) => <span className="wrap">{person.name || person.user_id}</span>,
  },
  {
    header: t('object'),
    cell: ({ target }) => (
      <span className="wrap">
        {kindOf(target)} <span className="identifier">{nameOf(target)}</span>
      </span>
    ),
  },
  { header: t('time'), cell: ({ at }) => <Time at={at} /> },
];

export function ActivityScreen() {
  const merchant_no = useMerchantNo();
  const [opened, setOpened] = useState<Activity | null>(null);
  const list = useList<Activity>(['merchant', merchant_no, 'activity'], (page, signal) =>
    answerOf(
      api.GET('/console/v1/merchants/{merchant_no}/activity', {
        params: { path: { merchant_no }, query: page },
        signal,
      }),
    ),
  );
  return (
    <Page title={t('activity')} about={t('all_changes_and_exports_by_your')}>
      <Panel title={t('team_activity')} about={t('open_an_entry_to_see_the')}>
        <DataTable
          name={t('activity')}
          columns={columnsOf(setOpened)}
          rows={list.rows}
          list={list}
          rowKey={({ activity_id }) => activity_id}
          onOpen={setOpened}
          empty={<Empty title={t('no_activity_yet')}>{t('changes_and_exports_by_your_team')}</Empty>}
        />
      </Panel>
      <SideDrawer
        opened={opened !== null}
        onClose={() => setOpened(null)}
        title={opened === null ? '' : actInWords(opened.action)}
      >
        {opened !== null && (
          <>
            <Facts
              of={[
                [t('person'), opened.person.name],
                [t('time'), <Time key="at" at={opened.at} />],
                [t('action_2'), <Code key="action">{opened.action}</Code>],
                [t('object'), <Code key="on">{opened.target}</Code>],
              ]}
            />
            <RawJson
              value={{ before: opened.before, after: opened.after }}
              name={t('values_before_and_after')}
            />
          </>
        )}
      </SideDrawer>
    </Page>
  );
}
