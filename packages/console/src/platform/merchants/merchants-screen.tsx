/** The screen of all merchants. */
import { IconPlus } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { adminCall, type Merchant, useAdminList } from '../../api/admin.ts';
import { PlatformAction, PlatformExport } from '../allowed.tsx';
import { isWhole, textOf } from '../../components/dialog/fields.ts';
import { type Column, DataTable } from '../../components/list/data-table.tsx';
import { Filters } from '../../components/list/filters.tsx';
import { pick, useView } from '../../components/list/view-state.ts';
import { AppLink } from '../../components/page/link.tsx';
import { Empty } from '../../components/page/loaded.tsx';
import { Page } from '../../components/page/page.tsx';
import { Identifier } from '../../components/values/copy-button.tsx';
import { Status } from '../../components/values/status.tsx';
import { Time } from '../../components/values/time.tsx';
import { personFinder } from '../lookups.ts';
import { textsOf } from '../../texts/texts.ts';

const t = textsOf('platform-merchants');

const columns: Column<Merchant>[] = [
  {
    header: t('merchant'),
    wide: true,
    cell: ({ merchant_no, name }) => (
      <AppLink to="/platform/merchants/$merchant_no" params={{ merchant_no }} fw={600} className="wrap">
        {name}
      </AppLink>
    ),
  },
  { header: t('status'), cell: ({ status }) => <Status value={status} /> },
  {
    header: t('merchant_id_2'),
    cell: ({ merchant_no }) => <Identifier value={merchant_no} name={t('merchant_id')} />,
  },
  {
    header: t('guest_checkout'),
    cell: ({ guest_purchase_allowed }) => (guest_purchase_allowed ? t('yes') : t('no')),
  },
  { header: t('hold_period_2'), end: true, cell: ({ hold_days }) => t('hold_days_days', { hold_days }) },
  { header: t('since'), cell: ({ created_at }) => <Time at={created_at} show="day" /> },
];

export function MerchantsScreen() {
  const [view] = useView();
  const query = pick(view, ['q', 'status']);
  const list = useAdminList<Merchant>('/merchants', query);
  const isNarrowed = Object.keys(query).length > 0;
  const navigate = useNavigate();
  return (
    <Page
      title={t('merchants')}
      about={t('all_merchants_on_this_platform_each')}
      actions={
        <>
          <AppLink to="/platform/merchant-figures" size="sm">
            {t('performance')}
          </AppLink>
          <PlatformExport path="/admin/v1/merchants" query={query} />
          <NewMerchant />
        </>
      }
    >
      <Filters
        filters={[
          { kind: 'search', name: 'q', label: t('find'), placeholder: t('part_of_the_name_or_the') },
          {
            kind: 'choice',
            name: 'status',
            label: t('status'),
            choices: [
              ['active', t('active')],
              ['inactive', t('inactive')],
            ],
          },
        ]}
      />
      <DataTable
        name={t('merchants')}
        columns={columns}
        rows={list.rows}
        list={list}
        rowKey={({ merchant_no }) => merchant_no}
        onOpen={({ merchant_no }) => {
          void navigate({ to: '/platform/merchants/$merchant_no', params: { merchant_no } });
        }}
        empty={
          isNarrowed ? (
            <Empty title={t('no_matching_merchants_2')}>{t('no_entry_matches_the_filters_clear')}</Empty>
          ) : (
            <Empty title={t('no_merchants_yet')}>{t('create_the_first_merchant_its_owner')}</Empty>
          )
        }
      />
    </Page>
  );
}

function NewMerchant() {
  return (
    <PlatformAction
      allows="administer"
      label={t('new_merchant')}
      variant="filled"
      icon={<IconPlus size={16} />}
      title={t('new_merchant')}
      confirm={t('create')}
      fields={[
        { name: 'name', label: t('name'), about: t('shown_to_buyers_at_checkout'), required: true },
        {
          name: 'owner_user_id',
          label: t('owner'),
          kind: 'choice',
          required: true,
          finder: personFinder,
        },
        {
          name: 'hold_days',
          label: t('hold_period_in_days'),
          kind: 'number',
          initial: '2',
          required: true,
          check: isWhole,
        },
        {
          name: 'guest_purchase_allowed',
          label: t('guest_checkout_buyers_need_no_account'),
          kind: 'switch',
          initial: true,
        },
      ]}
      submit={(values) =>
        adminCall<Merchant>('POST', '/merchants', {
          body: {
            name: textOf(values, 'name'),
            owner_user_id: textOf(values, 'owner_user_id'),
            hold_days: Number(textOf(values, 'hold_days')),
            guest_purchase_allowed: values.guest_purchase_allowed === true,
          },
        })
      }
      done={({ merchant_no }) => t('created_as_merchant_no', { merchant_no })}
    />
  );
}
