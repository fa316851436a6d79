/** The sales of a range of days beside the days before: volume, conversion, the steps to the payment, and methods. */
import { SegmentedControl, Skeleton, Stack } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { answerOf, api } from '../../api/client.ts';
import type { Sales } from '../../api/merchants.ts';
import { byOwnDays } from '../../texts/time-zone.ts';
import { DateRange } from '../../components/dates/date-range.tsx';
import { LazyCharts } from '../../components/figures/lazy-charts.tsx';
import { Stat, Stats } from '../../components/figures/stat.tsx';
import { useView } from '../../components/list/view-state.ts';
import { Empty, Loaded } from '../../components/page/loaded.tsx';
import { Panel } from '../../components/page/panel.tsx';
import { Amount } from '../../components/values/money.tsx';
import { useLater, useLoaded } from '../../shell/load-later.ts';
import { trimmed } from '../../money/money.ts';
import {
  changeText,
  decimalText,
  numberText,
  percentText,
  pointsText,
  timeFormat,
} from '../../texts/format.ts';
import { asOfDaysText } from '../../texts/as-of.ts';
import { textsOf } from '../../texts/texts.ts';
import { percentSince, pointsSince } from './compare.ts';
import { Funnel } from './funnel.tsx';
import { type Preset, presetOf, presets, type Range, rangeOf } from './range.ts';

const t = textsOf('sales');

const presetWords: Readonly<Record<Preset, string>> = {
  '7': t('days_7'),
  '30': t('days_30'),
  '90': t('days_90'),
  custom: t('custom'),
};

const dates = timeFormat({ dateStyle: 'medium', timeZone: 'UTC' });
const rangeText = ({ from, until }: Range): string => dates.formatRange(new Date(from), new Date(until));

/** @param today the date by the service's clock, in the viewer's time zone */
export function SalesPart({ merchant_no, today }: { merchant_no: string; today: string }) {
  const [view] = useView();
  const range = rangeOf(view, today);
  const sales = useQuery({
    queryKey: ['merchant', merchant_no, 'sales', range],
    queryFn: ({ signal }) =>
      byOwnDays((time_zone) =>
        answerOf(
          api.GET('/console/v1/merchants/{merchant_no}/sales', {
            params: { path: { merchant_no }, query: { ...range, time_zone } },
            signal,
          }),
        ),
      ),
    placeholderData: keepPreviousData,
    refetchInterval: 60_000,
  });
  const about =
    sales.data === undefined
      ? undefined
      : `${t('from_to_compared_with', {
          range: rangeText(sales.data.period),
          before: rangeText(sales.data.before),
        })} · ${asOfDaysText(sales.data.as_of)}`;
  return (
    <>
      <Panel title={t('sales')} about={about} actions={<RangeChoice range={range} today={today} />}>
        <Loaded of={sales} lines={4}>
          {(known) => <Totals of={known} />}
        </Loaded>
      </Panel>
      {sales.data !== undefined && (
        <>
          <Funnel period={sales.data.period} merchant_no={merchant_no} />
          {sales.data.methods.length > 0 && <LazyMethods of={sales.data} merchant_no={merchant_no} />}
          <LazyCharts series={sales.data.series} />
        </>
      )}
    </>
  );
}

const loadMethods = () => import('./methods.tsx');

/** The table is loaded after the figures, as the charts are. */
function LazyMethods(props: { of: Sales; merchant_no: string }) {
  const part = useLoaded(loadMethods, useLater());
  return part === null ? <Skeleton h={200} /> : <part.Methods {...props} />;
}

/** Seven, thirty or ninety days, or a range of the person's own. It is kept in the address. */
function RangeChoice({ range, today }: { range: Range; today: string }) {
  const [view, change] = useView();
  const preset = presetOf(view);
  return (
    <>
      <SegmentedControl
        aria-label={t('range')}
        size="xs"
        data={[...presets, 'custom' as const].map((value) => ({ value, label: presetWords[value] }))}
        value={preset}
        onChange={(value) =>
          change(value === 'custom' ? { ...range, days: '' } : { days: value, from: '', until: '' })
        }
      />
      {preset === 'custom' && <CustomRange range={range} today={today} />}
    </>
  );
}

function CustomRange({ range, today }: { range: Range; today: string }) {
  const [, change] = useView();
  const [days, setDays] = useState<[string | null, string | null]>([range.from, range.until]);
  return (
    <DateRange
      label={t('range')}
      maxDate={today}
      value={days}
      onChange={(chosen) => {
        setDays(chosen);
        const [from, until] = chosen;
        if (from !== null && until !== null) change({ from, until });
      }}
    />
  );
}

function Totals({ of: { period, before } }: { of: Sales }) {
  if (period.orders.created === 0 && period.volume.length === 0 && before.orders.created === 0) {
    return <Empty title={t('no_orders_in_this_range')}>{t('no_orders_in_this_range_about')}</Empty>;
  }
  const created = percentSince(String(before.orders.created), String(period.orders.created));
  const points = pointsSince(before.conversion, period.conversion);
  return (
    <Stats>
      <Stat name={t('volume')} value={<Volumes of={period} before={before} />} note={t('volume_about')} />
      <Stat
        name={t('orders_created')}
        value={numberText(period.orders.created)}
        note={sinceText(created === null ? null : changeText(created), numberText(before.orders.created))}
      />
      <Stat
        name={t('conversion')}
        value={period.conversion === null ? '–' : percentText(period.conversion)}
        note={
          before.conversion !== null &&
          sinceText(
            points === null ? null : t('points', { points: pointsText(points) }),
            percentText(before.conversion),
          )
        }
      />
    </Stats>
  );
}

const sinceText = (change: string | null, value: string): string =>
  change === null ? t('new_since') : t('before_value', { change, value });

/** The volume of each currency, and what it was before. */
function Volumes({ of, before }: { of: Sales['period']; before: Sales['before'] }) {
  const currencies = [...new Set([...of.volume, ...before.volume].map(({ currency }) => currency))].sort();
  if (currencies.length === 0) return '–';
  return (
    <Stack gap={4}>
      {currencies.map((currency) => {
        const now = of.volume.find((one) => one.currency === currency)?.amount ?? '0';
        const was = before.volume.find((one) => one.currency === currency)?.amount;
        const change = was === undefined ? null : percentSince(was, now);
        return (
          <div key={currency}>
            <Amount amount={now} currency={currency} />
            <div className="since">
              {sinceText(
                change === null ? null : changeText(change),
                decimalText(currency === 'PTK' ? trimmed(was ?? '0') : (was ?? '0')),
              )}
            </div>
          </div>
        );
      })}
    </Stack>
  );
}
