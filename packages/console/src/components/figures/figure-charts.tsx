import { BarChart, LineChart } from '@mantine/charts';
import { Select, SimpleGrid } from '@mantine/core';
import { useState } from 'react';
import { Empty } from '../page/loaded.tsx';
import { Panel } from '../page/panel.tsx';
import { chartedCurrencies, conversionSeries, type Series, volumeSeries } from './series.ts';
import { numberText, percentText } from '../../texts/format.ts';
import { textsOf } from '../../texts/texts.ts';

const t = textsOf('core');

/** Charts of volume and conversion, day by day. The drawn numbers are approximate; the exact ones stand above. */
export function FigureCharts({ series }: { series: Series }) {
  const currencies = chartedCurrencies(series);
  const [chosen, setChosen] = useState<string | null>(null);
  const currency = chosen ?? currencies[0];
  return (
    <SimpleGrid cols={{ base: 1, lg: 2 }}>
      <Panel
        title={t('volume')}
        about={t('payments_per_day_without_refunds')}
        actions={
          currencies.length > 1 && (
            <Select
              aria-label={t('currency_of_the_chart')}
              data={currencies}
              value={currency}
              allowDeselect={false}
              onChange={setChosen}
              w={100}
              size="xs"
            />
          )
        }
      >
        {currency === undefined ? (
          <Empty title={t('no_payments_yet')} />
        ) : (
          <BarChart
            h={240}
            data={volumeSeries(series, currency)}
            dataKey="day"
            series={[{ name: 'volume', label: currency, color: 'brand.5' }]}
            yAxisLabel={currency}
            valueFormatter={numberText}
            tickLine="none"
            gridAxis="x"
          />
        )}
      </Panel>
      <Panel title={t('conversion')} about={t('share_of_a_days_orders_paid')}>
        <LineChart
          h={240}
          data={conversionSeries(series)}
          dataKey="day"
          series={[{ name: 'conversion', label: t('conversion'), color: 'teal.6' }]}
          curveType="linear"
          connectNulls={false}
          valueFormatter={(share) => percentText(String(share / 100))}
          yAxisLabel={t('percent_of_orders')}
          yAxisProps={{ domain: [0, 100] }}
          tickLine="none"
          gridAxis="x"
        />
      </Panel>
    </SimpleGrid>
  );
}
