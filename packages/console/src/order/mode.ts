/** The filter of orders by test mode, kept in the address as `mode` (D-281). */
import type { Filter } from '../components/list/filters.tsx';
import { textsOf } from '../texts/texts.ts';

const t = textsOf('order');

export const modeFilter: Filter = {
  kind: 'choice',
  name: 'mode',
  label: t('mode'),
  choices: [
    ['live', t('live')],
    ['test', t('test_orders')],
  ],
};

/** The orders that the service is asked for: only tests, no tests, or all. */
export const testModeOf = (mode: string | undefined): boolean | undefined =>
  mode === 'test' ? true : mode === 'live' ? false : undefined;
