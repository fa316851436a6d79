/** What the merchant's people did in this console. */
import { Code, Drawer } from '@mantine/core';
import { useState } from 'react';
import { answerOf, api, type components } from '../../api/client.ts';
import { useList } from '../../api/list.ts';
import { type Column, DataTable } from '../../components/list/data-table.tsx';
import { Empty } from '../../components/page/loaded.tsx';
import { Page } from '../../components/page/page.tsx';
import { Panel } from '../../components/page/panel.tsx';
import { Facts } from '../../components/values/facts.tsx';
import { RawJson } from '../../components/values/raw-json.tsx';
import { Time } from '../../components/values/time.tsx';
import { useMerchantNo } from '../merchant-no.ts';
import { actInWords, kindOf, nameOf } from './acts.ts';

type Activity = components['schemas']['ActivityPage']['items'][number];

const columns: readonly Column<Activity>[] = [
  { header: 'What', wide: true, cell: ({ action }) => <strong>{actInWords(action)}</strong> },
  { header: 'Who', cell: ({ person }) => <span className="wrap">{person.name || person.user_id}</span> },
  {
    header: 'On',
    cell: ({ target }) => (
      <span className="wrap">
        {kindOf(target)} <span className="identifier">{nameOf(target)}</span>
      </span>
    ),
  },
  { header: 'When', cell: ({ at }) => <Time at={at} /> },
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
    <Page title="Activity" about="Every change and export that your team made here, newest first.">
      <Panel title="What your team did" about="Open a line to see the values before and after.">
        <DataTable
          name="Activity"
          columns={columns}
          rows={list.rows}
          list={list}
          rowKey={({ activity_id }) => activity_id}
          onOpen={setOpened}
          empty={
            <Empty title="No activity yet">What your team changes or exports here appears in this log.</Empty>
          }
        />
      </Panel>
      <Drawer
        opened={opened !== null}
        onClose={() => setOpened(null)}
        position="right"
        size="lg"
        title={opened === null ? '' : actInWords(opened.action)}
        closeButtonProps={{ 'aria-label': 'Close' }}
      >
        {opened !== null && (
          <>
            <Facts
              of={[
                ['Who', opened.person.name],
                ['When', <Time key="at" at={opened.at} />],
                ['Action', <Code key="action">{opened.action}</Code>],
                ['On', <Code key="on">{opened.target}</Code>],
              ]}
            />
            <RawJson value={{ before: opened.before, after: opened.after }} name="values before and after" />
          </>
        )}
      </Drawer>
    </Page>
  );
}
