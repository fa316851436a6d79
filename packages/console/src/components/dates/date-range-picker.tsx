import { DatePickerInput, DatesProvider } from '@mantine/dates';
import { IconCalendar } from '@tabler/icons-react';
import { useId } from 'react';
import { timeFormat } from '../../texts/format.ts';
import { textsOf } from '../../texts/texts.ts';
import { dateLanguage } from './date-language.ts';
import type { DateRangeProps } from './date-range.tsx';

const t = textsOf('core');

const medium = timeFormat({ dateStyle: 'medium', timeZone: 'UTC' });

/** A day such as 2026-03-02 in words. */
const dayText = (day: unknown): string => (typeof day === 'string' ? medium.format(new Date(day)) : '');

/** The calendar of `DateRange`, which loads it. */
export function DateRangePicker({ label, clearable = false, ...props }: DateRangeProps) {
  const id = useId();
  return (
    <DatesProvider settings={dateLanguage}>
      <DatePickerInput
        type="range"
        label={label}
        leftSection={<IconCalendar size={16} />}
        valueFormatter={({ date }) => {
          const [from = null, until = null] = Array.isArray(date) ? date : [date];
          return from === null ? '' : `${dayText(from)} – ${dayText(until)}`;
        }}
        ariaLabels={{
          previousMonth: t('previous_month'),
          nextMonth: t('next_month'),
          previousYear: t('previous_year'),
          nextYear: t('next_year'),
          previousDecade: t('previous_decade'),
          nextDecade: t('next_decade'),
        }}
        hideOutsideDates
        aria-haspopup="dialog"
        // The calendar is named by this field, which it knows by this id.
        id={id}
        popoverProps={{ id }}
        clearable={clearable}
        clearButtonProps={{ 'aria-label': t('clear_label', { label }) }}
        w={270}
        {...props}
      />
    </DatesProvider>
  );
}
