/** A range of dates to choose. The calendar is loaded with its language when the first one is shown. */
import { Skeleton } from '@mantine/core';
import { useLoaded } from '../../shell/load-later.ts';

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

async function load() {
  const [{ loadDateLanguage }, picker] = await Promise.all([
    import('./date-language.ts'),
    import('./date-range-picker.tsx'),
  ]);
  await loadDateLanguage();
  return picker;
}

export function DateRange(props: DateRangeProps) {
  const picker = useLoaded(load, true);
  return picker === null ? <Skeleton w={250} h={36} /> : <picker.DateRangePicker {...props} />;
}
