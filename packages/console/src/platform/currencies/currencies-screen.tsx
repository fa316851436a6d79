import { IconPencil, IconPlus } from '@tabler/icons-react';
import { adminCall, type AuditEntry, type Currency, type Rate, useAdminList } from '../../api/admin.ts';
import { part } from '../../api/call.ts';
import { PlatformAction } from '../allowed.tsx';
import { type Field, isDecimal, isOn, isWhole, textOf, type Values } from '../../components/dialog/fields.ts';
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

/** The screen of currencies and of the price of PTK in each. */
export function CurrenciesScreen() {
  const currencies = useAdminList<Currency>('/currencies');
  const rates = useAdminList<Rate>('/rates');
  return (
    <Page title="Currencies and rates" about="What orders may be in, and the price of 1 PTK in each.">
      <Panel title="Currencies" actions={<SaveCurrency />}>
        <DataTable
          name="Currencies"
          columns={currencyColumns}
          rows={currencies.rows}
          list={currencies}
          rowKey={({ code }) => code}
          empty={<Empty title="No currencies yet" />}
        />
      </Panel>
      <Panel
        title="Rates"
        about="Orders keep the rate that they were created at. A new rate holds for orders from then on."
        actions={<SaveRate currencies={currencies.rows} />}
      >
        <DataTable
          name="Rates"
          columns={rateColumns(currencies.rows)}
          rows={rates.rows}
          list={rates}
          rowKey={({ code }) => code}
          empty={<Empty title="No rates yet">Without a rate no order can be created in a currency.</Empty>}
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
    <Panel title="History of a rate" about="Who set which price, and when.">
      <Filters
        filters={[
          {
            kind: 'choice',
            name: 'history',
            label: 'Currency',
            initial: code,
            choices: priced.map((currency) => [currency.code, currency.code] as const),
          },
        ]}
      />
      <DataTable
        name={`History of the rate of ${code ?? 'a currency'}`}
        columns={historyColumns}
        rows={list.rows}
        list={list}
        rowKey={({ audit_id }) => audit_id}
        empty={<Empty title="Nobody has set it">What an installation begins with was set by nobody.</Empty>}
      />
    </Panel>
  );
}

const priceIn = (rate: unknown): string => (rate as { ptk_price?: string } | null)?.ptk_price ?? '–';

const historyColumns: Column<AuditEntry>[] = [
  { header: 'Price of 1 PTK', wide: true, cell: ({ after }) => <strong>{priceIn(after)}</strong> },
  { header: 'Before', end: true, cell: ({ before }) => priceIn(before) },
  { header: 'By', cell: ({ actor }) => <Actor of={actor} /> },
  { header: 'When', cell: ({ at }) => <Time at={at} /> },
];

const currencyColumns: Column<Currency>[] = [
  { header: 'Currency', cell: ({ code }) => <strong>{code}</strong> },
  { header: 'State', cell: ({ enabled }) => <Status value={enabled ? 'enabled' : 'disabled'} /> },
  { header: 'Decimals', end: true, cell: ({ decimals }) => decimals },
  {
    header: 'Smallest order',
    end: true,
    cell: ({ code, decimals, min_minor }) => (
      <Amount amount={decimalOf(BigInt(min_minor), decimals)} currency={code} />
    ),
  },
  {
    header: 'Largest order',
    end: true,
    cell: ({ code, decimals, max_minor }) => (
      <Amount amount={decimalOf(BigInt(max_minor), decimals)} currency={code} />
    ),
  },
  { header: 'Change', cell: (currency) => <SaveCurrency currency={currency} /> },
];

function SaveCurrency({ currency }: { currency?: Currency }) {
  const decimalsIn = (values: Values) => Number(textOf(values, 'decimals'));
  const limit = (name: string, label: string, minor: number | undefined): Field => ({
    name,
    label,
    initial: currency === undefined || minor === undefined ? '' : decimalOf(BigInt(minor), currency.decimals),
    check: (value, values) =>
      minorOf(String(value), decimalsIn(values)) === null ? 'More decimals than the currency has.' : null,
  });
  const minorIn = (values: Values, name: string) => {
    const minor = minorOf(textOf(values, name), decimalsIn(values));
    return minor === null ? {} : { [`${name}_minor`]: minor.toString() };
  };
  return (
    <PlatformAction
      allows="administer"
      label={currency === undefined ? 'New currency' : 'Edit'}
      size={currency === undefined ? undefined : 'xs'}
      icon={currency === undefined ? <IconPlus size={16} /> : <IconPencil size={14} />}
      title={currency === undefined ? 'New currency' : `Edit ${currency.code}`}
      confirm="Save"
      fields={[
        {
          name: 'code',
          label: 'Code',
          required: true,
          initial: currency?.code ?? '',
          placeholder: 'USD',
          when: () => currency === undefined,
          check: (value) => (/^[A-Z]{3,10}$/.test(String(value)) ? null : 'Three to ten capital letters.'),
        },
        {
          name: 'decimals',
          label: 'Decimals',
          kind: 'number',
          required: true,
          initial: currency === undefined ? '2' : String(currency.decimals),
          check: isWhole,
        },
        limit('min', 'Smallest order', currency?.min_minor),
        limit('max', 'Largest order', currency?.max_minor),
        {
          name: 'enabled',
          label: 'Orders may be created in it',
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
      done={({ code }) => `${code} is saved.`}
    />
  );
}

const rateColumns = (currencies: readonly Currency[]): Column<Rate>[] => [
  { header: 'Currency', cell: ({ code }) => <strong>{code}</strong> },
  {
    header: 'Price of 1 PTK',
    end: true,
    cell: ({ code, ptk_price }) => <Amount amount={ptk_price} currency={code} />,
  },
  {
    header: 'Valid until',
    cell: ({ valid_until }) => (valid_until === null ? 'It is replaced' : <Time at={valid_until} />),
  },
  { header: 'Change', cell: (rate) => <SaveRate rate={rate} currencies={currencies} /> },
];

function SaveRate({ rate, currencies }: { rate?: Rate; currencies: readonly Currency[] }) {
  return (
    <PlatformAction
      allows="administer"
      label={rate === undefined ? 'Set a rate' : 'Edit'}
      size={rate === undefined ? undefined : 'xs'}
      icon={rate === undefined ? <IconPlus size={16} /> : <IconPencil size={14} />}
      title={rate === undefined ? 'Set a rate' : `Rate of ${rate.code}`}
      confirm="Set"
      fields={[
        {
          name: 'code',
          label: 'Currency',
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
          label: 'Price of 1 PTK',
          required: true,
          initial: rate?.ptk_price ?? '',
          check: (value) => isDecimal(value),
        },
        {
          name: 'valid_until',
          label: 'Valid until',
          kind: 'time',
          about: 'Empty: until it is replaced. In your time zone.',
        },
      ]}
      consequences={() => ['Orders created from now on are converted at this price.']}
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
      done={({ code, ptk_price }) => `1 PTK costs ${ptk_price} ${code}.`}
    />
  );
}
