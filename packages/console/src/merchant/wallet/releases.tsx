/** When held amounts become available. */
import { useQuery } from '@tanstack/react-query';
import { answerOf, api, type components } from '../../api/client.ts';
import { timeZone } from '../../api/time-zone.ts';
import { type Column, DataTable } from '../../components/list/data-table.tsx';
import { Empty, Loaded } from '../../components/page/loaded.tsx';
import { Panel } from '../../components/page/panel.tsx';
import { Ptk } from '../../components/values/money.tsx';

type Release = components['schemas']['Releases']['items'][number];

const day = new Intl.DateTimeFormat('en', {
  weekday: 'short',
  month: 'short',
  day: 'numeric',
  timeZone: 'UTC',
});

const columns: Column<Release>[] = [
  { header: 'Day', cell: (release) => day.format(new Date(`${release.day}T00:00:00Z`)) },
  { header: 'Orders', end: true, cell: ({ orders }) => orders },
  { header: 'Becomes available', end: true, cell: ({ amount_ptk }) => <Ptk minor={amount_ptk} /> },
];

export function ReleasesPanel({ merchant_no }: { merchant_no: string }) {
  const releases = useQuery({
    queryKey: ['merchant', merchant_no, 'releases'],
    queryFn: ({ signal }) =>
      answerOf(
        api.GET('/console/v1/merchants/{merchant_no}/wallet/releases', {
          params: { path: { merchant_no }, query: { time_zone: timeZone } },
          signal,
        }),
      ),
  });
  return (
    <Panel
      title="Releases"
      about="What is held, by the day on which it becomes available. What complaints have stopped has no day."
    >
      <Loaded of={releases}>
        {({ items }) => (
          <DataTable
            name="Releases"
            columns={columns}
            rows={items}
            rowKey={(release) => release.day}
            empty={<Empty title="Nothing is held" />}
          />
        )}
      </Loaded>
    </Panel>
  );
}
