/** A range of dates to choose. The calendar is loaded with its language when the first one is shown. */
import { Skeleton } from '@mantine/core';
import { lazy, Suspense } from 'react';

export interface DateRangeProps {
  label: string;
  description?: string;
  placeholder?: string;
  clearable?: boolean;
  /** The latest day that can be chosen. */
  maxDate?: string;
  /** Days such as 2026-03-02; null where none is chosen. */
  value: [string | null, string | null];
  onChange: (days: [string | null, string | null]) => void;
}

const Picker = lazy(async () => {
  const [{ loadDateLanguage }, { DateRangePicker }] = await Promise.all([
    import('./date-language.ts'),
    import('./date-range-picker.tsx'),
  ]);
  await loadDateLanguage();
  return { default: DateRangePicker };
});

export const DateRange = (props: DateRangeProps) => (
  <Suspense fallback={<Skeleton w={250} h={36} />}>
    <Picker {...props} />
  </Suspense>
);
