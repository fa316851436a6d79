/** The figures of all merchants side by side: volume, conversion, loss rate and holds. */
import { SegmentedControl, Stack, Text } from '@mantine/core';
import { type MerchantFigures, useAdminList } from '../../api/admin.ts';
import { type Column, DataTable } from '../../components/list/data-table.tsx';
import { Filters } from '../../components/list/filters.tsx';
import { pick, useView } from '../../components/list/view-state.ts';
import { AppLink } from '../../components/page/link.tsx';
import { Empty } from '../../components/page/loaded.tsx';
import { Page } from '../../components/page/page.tsx';
import { Amount, Ptk } from '../../components/values/money.tsx';
import { PlatformExport } from '../allowed.tsx';

/** `0.7150` as `71.50 %`. The digits move: no arithmetic on the rate. */
const percent = (rate: string | null): string => {
  if (rate === null) return '–';
  const [whole = '0', places = ''] = rate.split('.');
  return `${BigInt(whole + places.slice(0, 2)).toString()}.${places.slice(2)} %`;
};

const columns: Column<MerchantFigures>[] = [
  {
    header: 'Merchant',
    wide: true,
    cell: ({ merchant_no, merchant_name }) => (
      <AppLink to="/platform/merchants/$merchant_no" params={{ merchant_no }} className="wrap">
        {merchant_name}
      </AppLink>
    ),
  },
  {
    header: 'Volume',
    end: true,
    cell: ({ volume }) =>
      volume.length === 0 ? (
        '–'
      ) : (
        <Stack gap={0}>
          {volume.map(({ currency, amount }) => (
            <Amount key={currency} amount={amount} currency={currency} />
          ))}
        </Stack>
      ),
  },
  {
    header: 'Conversion',
    end: true,
    cell: ({ conversion, paid, created }) => <Rate rate={conversion} of={`${paid} of ${created}`} />,
  },
  {
    header: 'Loss rate',
    end: true,
    cell: ({ loss_rate, charged_back, paid }) => <Rate rate={loss_rate} of={`${charged_back} of ${paid}`} />,
  },
  { header: 'Held', end: true, cell: ({ held_ptk }) => <Ptk minor={held_ptk} /> },
  { header: 'Frozen', end: true, cell: ({ frozen_ptk }) => <Ptk minor={frozen_ptk} /> },
  { header: 'Owed from losses', end: true, cell: ({ recovery_ptk }) => <Ptk minor={recovery_ptk} /> },
];

const Rate = ({ rate, of }: { rate: string | null; of: string }) => (
  <>
    <span className="number">{percent(rate)}</span>
    <Text size="xs" c="dimmed">
      {of}
    </Text>
  </>
);

export function MerchantFiguresScreen() {
  const [view, setView] = useView();
  const query = pick(view, ['q', 'days']);
  const list = useAdminList<MerchantFigures>('/merchant-figures', query);
  return (
    <Page
      title="Figures of merchants"
      about="Orders that were created in the range, without test orders. Held, frozen and owed are of now."
      actions={<PlatformExport path="/admin/v1/merchant-figures" query={query} />}
    >
      <Filters
        filters={[
          { kind: 'search', name: 'q', label: 'Find', placeholder: 'A part of the name, or the number' },
        ]}
      />
      <SegmentedControl
        aria-label="Range"
        size="xs"
        fullWidth
        maw={420}
        value={view.days ?? '30'}
        onChange={(days) => setView({ days: days === '30' ? '' : days })}
        data={[
          { value: '7', label: '7 days' },
          { value: '30', label: '30 days' },
          { value: '90', label: '90 days' },
          { value: '366', label: 'A year' },
        ]}
      />
      <DataTable
        name="Figures of merchants"
        columns={columns}
        rows={list.rows}
        list={list}
        rowKey={({ merchant_no }) => merchant_no}
        empty={<Empty title="No merchants" />}
      />
    </Page>
  );
}
