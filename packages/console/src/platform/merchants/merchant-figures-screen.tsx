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
import { percentText } from '../../texts/format.ts';
import { textsOf } from '../../texts/texts.ts';

const t = textsOf('platform-merchants');

const columns: Column<MerchantFigures>[] = [
  {
    header: t('merchant'),
    wide: true,
    cell: ({ merchant_no, merchant_name }) => (
      <AppLink to="/platform/merchants/$merchant_no" params={{ merchant_no }} className="wrap">
        {merchant_name}
      </AppLink>
    ),
  },
  {
    header: t('volume'),
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
    header: t('conversion'),
    end: true,
    cell: ({ conversion, paid, created }) => (
      <Rate rate={conversion} of={t('paid_of_created', { paid, created })} />
    ),
  },
  {
    header: t('loss_rate'),
    end: true,
    cell: ({ loss_rate, charged_back, paid }) => (
      <Rate rate={loss_rate} of={t('charged_back_of_paid', { charged_back, paid })} />
    ),
  },
  { header: t('held'), end: true, cell: ({ held_ptk }) => <Ptk minor={held_ptk} /> },
  { header: t('frozen'), end: true, cell: ({ frozen_ptk }) => <Ptk minor={frozen_ptk} /> },
  { header: t('owed_from_losses'), end: true, cell: ({ recovery_ptk }) => <Ptk minor={recovery_ptk} /> },
];

const Rate = ({ rate, of }: { rate: string | null; of: string }) => (
  <>
    <span className="number">{rate === null ? '–' : percentText(rate)}</span>
    <Text size="xs" c="dimmed">
      {of}
    </Text>
  </>
);

export function MerchantFiguresScreen() {
  const [view, setView] = useView();
  const query = { ...pick(view, ['q', 'days']), sort: '-volume' };
  const list = useAdminList<MerchantFigures>('/merchant-figures', query);
  return (
    <Page
      title={t('merchant_performance')}
      about={t('orders_created_in_the_range_without')}
      actions={<PlatformExport path="/admin/v1/merchant-figures" query={query} />}
    >
      <Filters
        filters={[{ kind: 'search', name: 'q', label: t('find'), placeholder: t('part_of_the_name_or_the') }]}
      />
      <SegmentedControl
        aria-label={t('range')}
        size="xs"
        fullWidth
        maw={420}
        value={view.days ?? '30'}
        onChange={(days) => setView({ days: days === '30' ? '' : days })}
        data={[
          { value: '7', label: t('n_7_days') },
          { value: '30', label: t('n_30_days') },
          { value: '90', label: t('n_90_days') },
          { value: '366', label: t('n_1_year') },
        ]}
      />
      <DataTable
        name={t('merchant_performance')}
        columns={columns}
        rows={list.rows}
        list={list}
        rowKey={({ merchant_no }) => merchant_no}
        empty={<Empty title={t('no_matching_merchants')} />}
      />
    </Page>
  );
}
