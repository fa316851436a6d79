/** Monthly statements to download. */
import { Button, Group, Select } from '@mantine/core';
import { IconFileTypeCsv, IconFileTypePdf } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { addressOf } from '../../api/call.ts';
import { answerOf, api } from '../../api/client.ts';
import { merchantPath } from '../../api/merchants.ts';
import { Empty, Loaded } from '../../components/page/loaded.tsx';
import { Panel } from '../../components/page/panel.tsx';

const named = new Intl.DateTimeFormat('en', { year: 'numeric', month: 'long', timeZone: 'UTC' });

export function StatementsPanel({ merchant_no }: { merchant_no: string }) {
  const [chosen, choose] = useState<string | null>(null);
  const statements = useQuery({
    queryKey: ['merchant', merchant_no, 'statements'],
    queryFn: ({ signal }) =>
      answerOf(
        api.GET('/console/v1/merchants/{merchant_no}/statements', {
          params: { path: { merchant_no } },
          signal,
        }),
      ),
  });
  const file = (month: string, kind: 'csv' | 'pdf'): string =>
    addressOf(merchantPath(merchant_no, `/statements/${month}/statement.${kind}`), {});
  return (
    <Panel
      title="Monthly statements"
      about="Opening balance, every line, closing balance and totals. Months are those of UTC."
    >
      <Loaded of={statements}>
        {({ items }) => {
          const last = items.find(({ complete }) => complete) ?? items[0];
          const month = chosen ?? last?.month;
          if (month === undefined) return <Empty title="No statements yet" />;
          return (
            <Group align="flex-end" gap="sm">
              <Select
                label="Month"
                data={items.map((one) => ({
                  value: one.month,
                  label: `${named.format(new Date(`${one.month}-01T00:00:00Z`))}${one.complete ? '' : ' (so far)'}`,
                }))}
                value={month}
                onChange={choose}
                allowDeselect={false}
                searchable={items.length > 12}
                w={220}
              />
              <Button
                component="a"
                href={file(month, 'pdf')}
                download
                variant="default"
                leftSection={<IconFileTypePdf size={16} />}
              >
                PDF
              </Button>
              <Button
                component="a"
                href={file(month, 'csv')}
                download
                variant="default"
                leftSection={<IconFileTypeCsv size={16} />}
              >
                CSV
              </Button>
            </Group>
          );
        }}
      </Loaded>
    </Panel>
  );
}
