import { IconPlus } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { useList } from '../../api/list.ts';
import { merchantPath } from '../../api/merchants.ts';
import { createProduct, listProducts, type ManagedProduct } from '../../api/products.ts';
import { ActionButton } from '../../components/dialog/action-dialog.tsx';
import { textOf } from '../../components/dialog/fields.ts';
import { CsvExport } from '../../components/list/csv-export.tsx';
import { type Column, DataTable } from '../../components/list/data-table.tsx';
import { AppLink } from '../../components/page/link.tsx';
import { Empty } from '../../components/page/loaded.tsx';
import { Page } from '../../components/page/page.tsx';
import { Amount } from '../../components/values/money.tsx';
import { Status } from '../../components/values/status.tsx';
import { fixed8Of, priceOf } from '../../money/fixed8.ts';
import { useMayWrite, useMerchantNo } from '../merchant-no.ts';

/** The products of the merchant's catalog. */
export function ProductsScreen() {
  const merchant_no = useMerchantNo();
  const mayWrite = useMayWrite('products');
  const navigate = useNavigate();
  const list = useList<ManagedProduct>(['merchant', merchant_no, 'products'], (page, signal) =>
    listProducts(merchant_no, page, signal),
  );
  const columns: Column<ManagedProduct>[] = [
    {
      header: 'Product',
      wide: true,
      cell: ({ gd_no, gd_name }) => (
        <AppLink
          to="/console/merchants/$merchant_no/products/$gd_no"
          params={{ merchant_no, gd_no }}
          fw={600}
          size="sm"
          className="wrap"
        >
          {gd_name}
        </AppLink>
      ),
    },
    {
      header: 'State',
      cell: ({ enabled }) => (
        <Status value={enabled ? 'enabled' : 'disabled'} label={enabled ? 'For sale' : 'Not for sale'} />
      ),
    },
    {
      header: 'Price',
      end: true,
      cell: ({ actual_price, currency, currency_decimals }) => (
        <Amount amount={priceOf(actual_price, currency_decimals)} currency={currency} />
      ),
    },
    { header: 'In stock', end: true, cell: ({ in_stock }) => in_stock.toLocaleString('en') },
    { header: 'Tiers', end: true, cell: ({ wholesale_price_cnf }) => wholesale_price_cnf.length },
    { header: 'Asks for', end: true, cell: ({ other_ipu_cnf }) => other_ipu_cnf.length },
  ];
  return (
    <Page
      title="Products"
      about="What programs can order from your catalog, at the prices that stand here."
      actions={
        <>
          <CsvExport path={merchantPath(merchant_no, '/products')} />
          {mayWrite && <NewProduct merchant_no={merchant_no} />}
        </>
      }
    >
      <DataTable
        name="Products"
        columns={columns}
        rows={list.rows}
        list={list}
        rowKey={({ gd_no }) => gd_no}
        onOpen={({ gd_no }) => {
          void navigate({
            to: '/console/merchants/$merchant_no/products/$gd_no',
            params: { merchant_no, gd_no },
          });
        }}
        empty={<Empty title="No products yet">Create the first: it can be ordered at once.</Empty>}
      />
    </Page>
  );
}

function NewProduct({ merchant_no }: { merchant_no: string }) {
  const navigate = useNavigate();
  return (
    <ActionButton
      label="New product"
      variant="filled"
      icon={<IconPlus size={16} />}
      title="New product"
      confirm="Create"
      about="It is not for sale before you say so. Stock, tiers and what buyers are asked for come next."
      fields={[
        { name: 'gd_name', label: 'Name', required: true },
        {
          name: 'price',
          label: 'Price of one',
          required: true,
          check: (value) => (fixed8Of(String(value)) === null ? 'A number such as 9.99.' : null),
        },
        { name: 'currency', label: 'Currency', required: true, initial: 'USD' },
      ]}
      submit={async (values) => {
        const made = await createProduct(merchant_no, {
          gd_name: textOf(values, 'gd_name'),
          actual_price: (fixed8Of(textOf(values, 'price')) ?? 0n).toString(),
          currency: textOf(values, 'currency'),
          enabled: false,
        });
        void navigate({
          to: '/console/merchants/$merchant_no/products/$gd_no',
          params: { merchant_no, gd_no: made.gd_no },
        });
        return made;
      }}
      done={({ gd_name }) => `${gd_name} is there.`}
      refresh={['merchant', merchant_no, 'products']}
    />
  );
}
