import { BarChart, LineChart } from '@mantine/charts';
import { Select, SimpleGrid } from '@mantine/core';
import { useState } from 'react';
import { Empty } from '../page/loaded.tsx';
import { Panel } from '../page/panel.tsx';
import { chartedCurrencies, conversionSeries, type Series, volumeSeries } from './series.ts';

/** Charts of volume and conversion for thirty days. The drawn numbers are approximate; the exact ones stand above. */
export function FigureCharts({ series }: { series: Series }) {
  const currencies = chartedCurrencies(series);
  const [chosen, setChosen] = useState<string | null>(null);
  const currency = chosen ?? currencies[0];
  return (
    <SimpleGrid cols={{ base: 1, lg: 2 }}>
      <Panel
        title="Volume"
        about="What was paid and has stayed paid, in the last thirty days."
        actions={
          currencies.length > 1 && (
            <Select
              aria-label="Currency of the chart"
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
          <Empty title="Nothing was paid yet" />
        ) : (
          <BarChart
            h={240}
            data={volumeSeries(series, currency)}
            dataKey="day"
            series={[{ name: 'volume', label: currency, color: 'brand.5' }]}
            tickLine="none"
            gridAxis="x"
          />
        )}
      </Panel>
      <Panel title="Conversion" about="Of the orders that were created on a day, how many are paid.">
        <LineChart
          h={240}
          data={conversionSeries(series)}
          dataKey="day"
          series={[
            { name: 'created', label: 'Created', color: 'gray.5' },
            { name: 'paid', label: 'Paid', color: 'teal.6' },
          ]}
          curveType="linear"
          withDots={false}
          withLegend
          yAxisProps={{ allowDecimals: false }}
          tickLine="none"
          gridAxis="x"
        />
      </Panel>
    </SimpleGrid>
  );
}
