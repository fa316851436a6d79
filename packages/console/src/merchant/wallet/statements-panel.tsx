/** Monthly statements to download. */
import { Button, Group, Select } from '@mantine/core';
import { IconFileTypeCsv, IconFileTypePdf } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { addressOf } from '../../api/call.ts';
import { answerOf, api } from '../../api/client.ts';
import { merchantPath } from '../../api/merchants.ts';
import { AppLink } from '../../components/page/link.tsx';
import { Empty, Loaded } from '../../components/page/loaded.tsx';
import { Panel } from '../../components/page/panel.tsx';
import { timeFormat } from '../../texts/format.ts';
import { language } from '../../texts/language.ts';
import { textsOf } from '../../texts/texts.ts';

const t = textsOf('wallet');

const named = timeFormat({ year: 'numeric', month: 'long', timeZone: 'UTC' });
const monthOf = (month: string): string => named.format(new Date(`${month}-01T00:00:00Z`));

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
    addressOf(merchantPath(merchant_no, `/statements/${month}/statement.${kind}`), { language });
  return (
    <Panel
      title={t('monthly_statements')}
      about={t('opening_balance_every_line_closing_balance')}
      actions={
        <AppLink to="/console/merchants/$merchant_no/exports" params={{ merchant_no }} size="sm">
          {t('scheduled_exports')}
        </AppLink>
      }
    >
      <Loaded of={statements}>
        {({ items }) => {
          const last = items.find(({ complete }) => complete) ?? items[0];
          const month = chosen ?? last?.month;
          if (month === undefined)
            return <Empty title={t('no_statements_yet')}>{t('statements_appear_once')}</Empty>;
          return (
            <Group align="flex-end" gap="sm">
              <Select
                label={t('month')}
                data={items.map((one) => ({
                  value: one.month,
                  label: one.complete ? monthOf(one.month) : t('month_so_far', { month: monthOf(one.month) }),
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
