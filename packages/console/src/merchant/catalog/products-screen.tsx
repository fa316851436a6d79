import { IconPlus } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { useList } from '../../api/list.ts';
import { merchantPath } from '../../api/merchants.ts';
import { createProduct, listProducts, type ManagedProduct } from '../../api/products.ts';
import { ActionButton } from '../../components/dialog/action-dialog.tsx';
import { currencyOf, textOf } from '../../components/dialog/fields.ts';
import { CsvExport } from '../../components/list/csv-export.tsx';
import { type Column, DataTable } from '../../components/list/data-table.tsx';
import { AppLink } from '../../components/page/link.tsx';
import { Empty } from '../../components/page/loaded.tsx';
import { Page } from '../../components/page/page.tsx';
import { Amount } from '../../components/values/money.tsx';
import { Status } from '../../components/values/status.tsx';
import { fixed8Of, priceOf } from '../../money/fixed8.ts';
import { useMayWrite, useMerchantNo } from '../merchant-no.ts';
import { numberText } from '../../texts/format.ts';
import { textsOf } from '../../texts/texts.ts';

const t = textsOf('catalog');

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
      header: t('product'),
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
      header: t('status_2'),
      cell: ({ enabled }) => (
        <Status value={enabled ? 'enabled' : 'disabled'} label={enabled ? t('on_sale') : t('not_on_sale')} />
      ),
    },
    {
      header: t('price'),
      end: true,
      cell: ({ actual_price, currency, currency_decimals }) => (
        <Amount amount={priceOf(actual_price, currency_decimals)} currency={currency} />
      ),
    },
    { header: t('in_stock'), end: true, cell: ({ in_stock }) => numberText(in_stock) },
    { header: t('tiers'), end: true, cell: ({ wholesale_price_cnf }) => wholesale_price_cnf.length },
    { header: t('questions'), end: true, cell: ({ other_ipu_cnf }) => other_ipu_cnf.length },
  ];
  return (
    <Page
      title={t('products')}
      about={t('products_that_apps_can_order_from')}
      actions={
        <>
          <CsvExport path={merchantPath(merchant_no, '/products')} />
          {mayWrite && <NewProduct merchant_no={merchant_no} />}
        </>
      }
    >
      <DataTable
        name={t('products')}
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
        empty={<Empty title={t('no_products_yet')}>{t('create_your_first_product')}</Empty>}
      />
    </Page>
  );
}

function NewProduct({ merchant_no }: { merchant_no: string }) {
  const navigate = useNavigate();
  return (
    <ActionButton
      label={t('new_product')}
      variant="filled"
      icon={<IconPlus size={16} />}
      title={t('new_product')}
      confirm={t('create')}
      about={t('it_is_not_on_sale_until')}
      fields={[
        { name: 'gd_name', label: t('name'), required: true },
        {
          name: 'price',
          label: t('unit_price'),
          kind: 'amount',
          required: true,
          check: (value) => (fixed8Of(String(value)) === null ? t('enter_a_number_such_as_9') : null),
        },
        { name: 'currency', label: t('currency'), required: true, initial: 'USD' },
      ]}
      submit={async (values) => {
        const made = await createProduct(merchant_no, {
          gd_name: textOf(values, 'gd_name'),
          actual_price: (fixed8Of(textOf(values, 'price')) ?? 0n).toString(),
          currency: currencyOf(values),
          enabled: false,
        });
        void navigate({
          to: '/console/merchants/$merchant_no/products/$gd_no',
          params: { merchant_no, gd_no: made.gd_no },
        });
        return made;
      }}
      done={({ gd_name }) => t('gd_name_was_created', { gd_name })}
      refresh={['merchant', merchant_no, 'products']}
    />
  );
}
