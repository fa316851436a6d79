import { IconPencil, IconPlus } from '@tabler/icons-react';
import { adminCall, type AuditEntry, type Currency, type Rate, useAdminList } from '../../api/admin.ts';
import { part } from '../../api/call.ts';
import { PlatformAction } from '../allowed.tsx';
import { type Field, isOn, isWhole, textOf, type Values } from '../../components/dialog/fields.ts';
import { type Column, DataTable } from '../../components/list/data-table.tsx';
import { Filters } from '../../components/list/filters.tsx';
import { useView } from '../../components/list/view-state.ts';
import { Empty } from '../../components/page/loaded.tsx';
import { Page } from '../../components/page/page.tsx';
import { Panel } from '../../components/page/panel.tsx';
import { Amount } from '../../components/values/money.tsx';
import { Status } from '../../components/values/status.tsx';
import { Time } from '../../components/values/time.tsx';
import { decimalOf, minorOf } from '../../money/money.ts';
import { Actor } from '../people/actor.tsx';
import { decimalText } from '../../texts/format.ts';
import { textsOf } from '../../texts/texts.ts';

const t = textsOf('platform-money');

/** The screen of currencies and of the price of PTK in each. */
export function CurrenciesScreen() {
  const currencies = useAdminList<Currency>('/currencies');
  const rates = useAdminList<Rate>('/rates');
  return (
    <Page title={t('currencies_and_rates')} about={t('the_currencies_of_orders_and_the')}>
      <Panel title={t('currencies')} actions={<SaveCurrency />}>
        <DataTable
          name={t('currencies')}
          columns={currencyColumns}
          rows={currencies.rows}
          list={currencies}
          rowKey={({ code }) => code}
          empty={<Empty title={t('no_currencies_yet')} />}
        />
      </Panel>
      <Panel
        title={t('rates')}
        about={t('orders_keep_the_rate_at_which')}
        actions={<SaveRate currencies={currencies.rows} />}
      >
        <DataTable
          name={t('rates')}
          columns={rateColumns(currencies.rows)}
          rows={rates.rows}
          list={rates}
          rowKey={({ code }) => code}
          empty={<Empty title={t('no_rates_yet')}>{t('set_a_rate_without_it_no')}</Empty>}
        />
      </Panel>
      <RateHistory currencies={currencies.rows} />
    </Page>
  );
}

/** Every price that a currency has had, from the audit log. */
function RateHistory({ currencies }: { currencies: readonly Currency[] }) {
  const [view] = useView();
  const priced = currencies.filter((currency) => currency.code !== 'PTK');
  const code = view.history ?? priced[0]?.code;
  const list = useAdminList<AuditEntry>('/audit-log', { target: `rate:${code ?? ''}` });
  return (
    <Panel title={t('rate_history')} about={t('every_change_of_a_rate_with')}>
      <Filters
        filters={[
          {
            kind: 'choice',
            name: 'history',
            label: t('currency'),
            initial: code,
            choices: priced.map((currency) => [currency.code, currency.code] as const),
          },
        ]}
      />
      <DataTable
        name={t('rate_history_of_part', { part: code ?? t('a_currency') })}
        columns={historyColumns}
        rows={list.rows}
        list={list}
        rowKey={({ audit_id }) => audit_id}
        empty={<Empty title={t('no_changes_yet')}>{t('each_new_rate_appears_here')}</Empty>}
      />
    </Panel>
  );
}

const priceIn = (rate: unknown): string =>
  decimalText((rate as { ptk_price?: string } | null)?.ptk_price ?? '–');

const historyColumns: Column<AuditEntry>[] = [
  { header: t('price_of_1_ptk'), wide: true, cell: ({ after }) => <strong>{priceIn(after)}</strong> },
  { header: t('previous_price'), end: true, cell: ({ before }) => priceIn(before) },
  { header: t('run_by'), cell: ({ actor }) => <Actor of={actor} /> },
  { header: t('time'), cell: ({ at }) => <Time at={at} /> },
];

const currencyColumns: Column<Currency>[] = [
  { header: t('currency'), cell: ({ code }) => <strong>{code}</strong> },
  { header: t('status'), cell: ({ enabled }) => <Status value={enabled ? 'enabled' : 'disabled'} /> },
  { header: t('decimals'), end: true, cell: ({ decimals }) => decimals },
  {
    header: t('minimum_order'),
    end: true,
    cell: ({ code, decimals, min_minor }) => (
      <Amount amount={decimalOf(BigInt(min_minor), decimals)} currency={code} />
    ),
  },
  {
    header: t('maximum_order'),
    end: true,
    cell: ({ code, decimals, max_minor }) => (
      <Amount amount={decimalOf(BigInt(max_minor), decimals)} currency={code} />
    ),
  },
  { header: t('actions'), cell: (currency) => <SaveCurrency currency={currency} /> },
];

function SaveCurrency({ currency }: { currency?: Currency }) {
  const decimalsIn = (values: Values) => Number(textOf(values, 'decimals'));
  const limit = (name: string, label: string, minor: number | undefined): Field => ({
    name,
    label,
    kind: 'amount',
    initial: currency === undefined || minor === undefined ? '' : decimalOf(BigInt(minor), currency.decimals),
    check: (value, values) =>
      minorOf(String(value), decimalsIn(values)) === null ? t('more_decimals_than_the_currency_has') : null,
  });
  const minorIn = (values: Values, name: string) => {
    const minor = minorOf(textOf(values, name), decimalsIn(values));
    return minor === null ? {} : { [`${name}_minor`]: minor.toString() };
  };
  return (
    <PlatformAction
      allows="administer"
      label={currency === undefined ? t('new_currency') : t('edit')}
      size={currency === undefined ? undefined : 'xs'}
      icon={currency === undefined ? <IconPlus size={16} /> : <IconPencil size={14} />}
      title={currency === undefined ? t('new_currency') : t('edit_code', { code: currency.code })}
      confirm={t('save')}
      fields={[
        {
          name: 'code',
          label: t('code'),
          required: true,
          initial: currency?.code ?? '',
          placeholder: 'USD',
          when: () => currency === undefined,
          check: (value) => (/^[A-Z]{3,10}$/.test(String(value)) ? null : t('three_to_ten_capital_letters')),
        },
        {
          name: 'decimals',
          label: t('decimals'),
          kind: 'number',
          required: true,
          initial: currency === undefined ? '' : String(currency.decimals),
          about: t('as_many_as_the_provider_uses'),
          check: isWhole,
        },
        limit('min', t('minimum_order'), currency?.min_minor),
        limit('max', t('maximum_order'), currency?.max_minor),
        {
          name: 'enabled',
          label: t('enabled_for_orders'),
          kind: 'switch',
          initial: currency?.enabled ?? true,
        },
      ]}
      submit={(values) =>
        adminCall<Currency>('PUT', `/currencies/${part(currency?.code ?? textOf(values, 'code'))}`, {
          body: {
            decimals: decimalsIn(values),
            enabled: isOn(values, 'enabled'),
            ...minorIn(values, 'min'),
            ...minorIn(values, 'max'),
          },
        })
      }
      done={({ code }) => t('code_is_saved', { code })}
    />
  );
}

const rateColumns = (currencies: readonly Currency[]): Column<Rate>[] => [
  { header: t('currency'), cell: ({ code }) => <strong>{code}</strong> },
  {
    header: t('price_of_1_ptk'),
    end: true,
    cell: ({ code, ptk_price }) => <Amount amount={ptk_price} currency={code} />,
  },
  {
    header: t('valid_until'),
    cell: ({ valid_until }) => (valid_until === null ? t('until_replaced') : <Time at={valid_until} />),
  },
  { header: t('actions'), cell: (rate) => <SaveRate rate={rate} currencies={currencies} /> },
];

/**
 * The end of a rate as a field has it, in the viewer's zone: one that nobody has changed stays (D-1222). Empty if there is none, or
 * if it is over: a new price is not meant to be over at once.
 */
function comingEnd(valid_until: string | null | undefined, now = new Date()): string {
  const end = valid_until == null ? now : new Date(valid_until);
  if (end <= now) return '';
  return new Date(end.getTime() - end.getTimezoneOffset() * 60_000).toISOString().slice(0, 19);
}

function SaveRate({ rate, currencies }: { rate?: Rate; currencies: readonly Currency[] }) {
  return (
    <PlatformAction
      allows="administer"
      label={rate === undefined ? t('set_rate') : t('edit')}
      size={rate === undefined ? undefined : 'xs'}
      icon={rate === undefined ? <IconPlus size={16} /> : <IconPencil size={14} />}
      title={rate === undefined ? t('set_rate') : t('rate_of_code', { code: rate.code })}
      confirm={t('set')}
      fields={[
        {
          name: 'code',
          label: t('currency'),
          kind: 'choice',
          required: true,
          initial: rate?.code ?? '',
          when: () => rate === undefined,
          choices: currencies
            .filter(({ code }) => code !== 'PTK')
            .map(({ code }) => ({ value: code, label: code })),
        },
        {
          name: 'ptk_price',
          label: t('price_of_1_ptk'),
          required: true,
          initial: rate?.ptk_price ?? '',
          kind: 'amount',
        },
        {
          name: 'valid_until',
          label: t('valid_until'),
          kind: 'time',
          initial: comingEnd(rate?.valid_until),
          about: t('leave_empty_to_keep_it_until'),
        },
      ]}
      consequences={() => [t('orders_created_from_now_on_are')]}
      submit={(values) =>
        adminCall<Rate>('PUT', `/rates/${part(rate?.code ?? textOf(values, 'code'))}`, {
          body: {
            ptk_price: textOf(values, 'ptk_price'),
            ...(textOf(values, 'valid_until') === ''
              ? {}
              : { valid_until: new Date(textOf(values, 'valid_until')).toISOString() }),
          },
        })
      }
      done={({ code, ptk_price }) =>
        t('n_1_ptk_costs_ptk_price_code', { ptk_price: decimalText(ptk_price), code })
      }
    />
  );
}
