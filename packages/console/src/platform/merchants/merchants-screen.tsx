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

const columns: Column<Merchant>[] = [
  {
    header: 'Merchant',
    wide: true,
    cell: ({ merchant_no, name }) => (
      <AppLink to="/platform/merchants/$merchant_no" params={{ merchant_no }} fw={600} className="wrap">
        {name}
      </AppLink>
    ),
  },
  { header: 'Status', cell: ({ status }) => <Status value={status} /> },
  { header: 'Number', cell: ({ merchant_no }) => <Identifier value={merchant_no} name="merchant number" /> },
  { header: 'Guests may buy', cell: ({ guest_purchase_allowed }) => (guest_purchase_allowed ? 'Yes' : 'No') },
  { header: 'Held for', end: true, cell: ({ hold_days }) => `${hold_days} days` },
  { header: 'Since', cell: ({ created_at }) => <Time at={created_at} show="day" /> },
];

export function MerchantsScreen() {
  const [view] = useView();
  const query = pick(view, ['q', 'status']);
  const list = useAdminList<Merchant>('/merchants', query);
  const isNarrowed = Object.keys(query).length > 0;
  const navigate = useNavigate();
  return (
    <Page
      title="Merchants"
      about="Everyone who sells here, each with a wallet of their own."
      actions={
        <>
          <AppLink to="/platform/merchant-figures" size="sm">
            Figures
          </AppLink>
          <PlatformExport path="/admin/v1/merchants" query={query} />
          <NewMerchant />
        </>
      }
    >
      <Filters
        filters={[
          { kind: 'search', name: 'q', label: 'Find', placeholder: 'A part of the name, or the number' },
          {
            kind: 'choice',
            name: 'status',
            label: 'Status',
            choices: [
              ['active', 'Active'],
              ['inactive', 'Inactive'],
            ],
          },
        ]}
      />
      <DataTable
        name="Merchants"
        columns={columns}
        rows={list.rows}
        list={list}
        rowKey={({ merchant_no }) => merchant_no}
        onOpen={({ merchant_no }) => {
          void navigate({ to: '/platform/merchants/$merchant_no', params: { merchant_no } });
        }}
        empty={
          isNarrowed ? (
            <Empty title="No such merchants">Nothing matches what the list is narrowed to.</Empty>
          ) : (
            <Empty title="No merchants yet">
              Create the first one: its owner signs in and finds its console.
            </Empty>
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
      label="New merchant"
      variant="filled"
      icon={<IconPlus size={16} />}
      title="New merchant"
      confirm="Create"
      fields={[
        { name: 'name', label: 'Name', about: 'Buyers see it at checkout.', required: true },
        {
          name: 'owner_user_id',
          label: 'Owner',
          kind: 'choice',
          required: true,
          finder: personFinder,
        },
        {
          name: 'hold_days',
          label: 'Days that income is held',
          kind: 'number',
          initial: '2',
          required: true,
          check: isWhole,
        },
        {
          name: 'guest_purchase_allowed',
          label: 'Guests may buy without signing in',
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
      done={({ merchant_no }) => `Created as ${merchant_no}.`}
    />
  );
}
