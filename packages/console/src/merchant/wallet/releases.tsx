/** When held amounts become available. */
import { useQuery } from '@tanstack/react-query';
import { answerOf, api, type components } from '../../api/client.ts';
import { byOwnDays } from '../../texts/time-zone.ts';
import { type Column, DataTable } from '../../components/list/data-table.tsx';
import { Empty, Loaded } from '../../components/page/loaded.tsx';
import { Panel } from '../../components/page/panel.tsx';
import { Ptk } from '../../components/values/money.tsx';
import { timeFormat } from '../../texts/format.ts';
import { textsOf } from '../../texts/texts.ts';

const t = textsOf('wallet');

type Release = components['schemas']['Releases']['items'][number];

const day = timeFormat({
  weekday: 'short',
  month: 'short',
  day: 'numeric',
  timeZone: 'UTC',
});

const columns: Column<Release>[] = [
  { header: t('day'), cell: (release) => day.format(new Date(`${release.day}T00:00:00Z`)) },
  { header: t('orders'), end: true, cell: ({ orders }) => orders },
  { header: t('amount_2'), end: true, cell: ({ amount_ptk }) => <Ptk minor={amount_ptk} /> },
];

export function ReleasesPanel({ merchant_no }: { merchant_no: string }) {
  const releases = useQuery({
    queryKey: ['merchant', merchant_no, 'releases'],
    queryFn: ({ signal }) =>
      byOwnDays((time_zone) =>
        answerOf(
          api.GET('/console/v1/merchants/{merchant_no}/wallet/releases', {
            params: { path: { merchant_no }, query: { time_zone } },
            signal,
          }),
        ),
      ),
  });
  return (
    <Panel title={t('upcoming_releases')} about={t('held_income_by_the_day_it')}>
      <Loaded of={releases}>
        {({ items }) => (
          <DataTable
            name={t('upcoming_releases')}
            columns={columns}
            rows={items}
            rowKey={(release) => release.day}
            empty={<Empty title={t('no_held_income')}>{t('held_income_appears_once')}</Empty>}
          />
        )}
      </Loaded>
    </Panel>
  );
}
