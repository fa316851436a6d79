/** The choice of a time span above a list (D-323). */
import { Group, Select } from '@mantine/core';
import { useState } from 'react';
import { DateRange } from '../dates/date-range.tsx';
import { textsOf } from '../../texts/texts.ts';
import { presets } from './period.ts';
import { useView } from './view-state.ts';

const t = textsOf('core');

const labels: Readonly<Record<(typeof presets)[number], string>> = {
  today: t('today'),
  'last-7-days': t('last_7_days'),
  'last-30-days': t('last_30_days'),
  'this-month': t('this_month'),
  'last-month': t('last_month'),
};

const choices = [
  ...presets.map((value) => ({ value, label: labels[value] })),
  { value: 'dates', label: t('dates') },
];

export function PeriodFilter({ label }: { label: string }) {
  const [view, change] = useView();
  const hasDates = view.from !== undefined || view.until !== undefined;
  const [isPicking, setPicking] = useState(false);
  const showsDates = view.period === undefined && (hasDates || isPicking);
  return (
    <Group gap="xs" align="flex-end">
      <Select
        label={label}
        placeholder={t('any_time')}
        data={choices}
        value={view.period ?? (showsDates ? 'dates' : null)}
        onChange={(value) => {
          setPicking(value === 'dates');
          change({ period: value === 'dates' ? '' : (value ?? ''), from: '', until: '' });
        }}
        clearable
        clearButtonProps={{ 'aria-label': t('clear_label', { label }) }}
        w={170}
      />
      {showsDates && (
        <DateRange
          label={t('dates')}
          placeholder={t('any_time')}
          value={[view.from?.slice(0, 10) ?? null, view.until?.slice(0, 10) ?? null]}
          onChange={([from, until]) => change({ from: from ?? '', until: until ?? '' })}
        />
      )}
    </Group>
  );
}
