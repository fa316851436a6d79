import { IconPower } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { changeProduct, type ManagedProduct, paymentChannelsQuery, readProduct } from '../../api/products.ts';
import { ActionButton } from '../../components/dialog/action-dialog.tsx';
import type { Choice } from '../../components/dialog/finder.tsx';
import { useParam } from '../../components/list/view-state.ts';
import { AppLink } from '../../components/page/link.tsx';
import { Loaded } from '../../components/page/loaded.tsx';
import { Page } from '../../components/page/page.tsx';
import { Panel } from '../../components/page/panel.tsx';
import { Identifier } from '../../components/values/copy-button.tsx';
import { Facts } from '../../components/values/facts.tsx';
import { Amount } from '../../components/values/money.tsx';
import { Status } from '../../components/values/status.tsx';
import { priceOf } from '../../money/fixed8.ts';
import { useMayWrite, useMerchantNo } from '../merchant-no.ts';
import { CodesPanel } from './codes-panel.tsx';
import { InputsPanel } from './inputs-panel.tsx';
import { ProductEdit } from './product-edit.tsx';
import { TiersPanel } from './tiers-panel.tsx';
import type { Save } from './use-save.ts';

/** The screen of one product: its price and tiers, the questions to buyers, its stock and codes. */
export function ProductScreen() {
  const merchant_no = useMerchantNo();
  const gd_no = useParam('gd_no');
  const mayWrite = useMayWrite('products');
  const product = useQuery({
    queryKey: ['merchant', merchant_no, 'products', gd_no],
    queryFn: ({ signal }) => readProduct(merchant_no, gd_no, signal),
  });
  const channels = useQuery(paymentChannelsQuery(merchant_no)).data?.items ?? [];
  const channelName = (payment_no: string) =>
    channels.find((channel) => channel.payment_no === payment_no)?.name ?? payment_no;
  // A channel that no longer serves the merchant may still be named, and can be removed.
  const channelsFor = ({ payment_methods }: ManagedProduct): Choice[] =>
    [...new Set([...channels.map(({ payment_no }) => payment_no), ...payment_methods])].map((payment_no) => ({
      value: payment_no,
      label: channelName(payment_no),
    }));
  const known = product.data;
  const save: Save = (body) => changeProduct(merchant_no, gd_no, body);
  return (
    <Page
      title={known?.gd_name ?? 'Product'}
      above={
        <AppLink to="/console/merchants/$merchant_no/products" params={{ merchant_no }}>
          Products
        </AppLink>
      }
      beside={
        known !== undefined && (
          <Status
            value={known.enabled ? 'enabled' : 'disabled'}
            label={known.enabled ? 'For sale' : 'Not for sale'}
          />
        )
      }
      about={<Identifier value={gd_no} name="product number" />}
      actions={known !== undefined && mayWrite && <Enablement product={known} save={save} />}
    >
      <Loaded of={product} lines={6}>
        {(found) => (
          <>
            <Panel
              title="Product"
              actions={mayWrite && <ProductEdit product={found} save={save} channels={channelsFor(found)} />}
            >
              <ProductFacts product={found} channelName={channelName} />
            </Panel>
            <TiersPanel key={`t${found.updated_at}`} product={found} save={mayWrite ? save : null} />
            <InputsPanel key={`i${found.updated_at}`} product={found} save={mayWrite ? save : null} />
            <CodesPanel merchant_no={merchant_no} gd_no={gd_no} />
          </>
        )}
      </Loaded>
    </Page>
  );
}

interface ProductFactsProps {
  product: ManagedProduct;
  channelName: (payment_no: string) => string;
}

const ProductFacts = ({ product, channelName }: ProductFactsProps) => (
  <Facts
    of={[
      [
        'Price of one',
        <Amount
          key="price"
          amount={priceOf(product.actual_price, product.currency_decimals)}
          currency={product.currency}
        />,
      ],
      [
        'Elsewhere',
        <Amount
          key="retail"
          amount={priceOf(product.retail_price, product.currency_decimals)}
          currency={product.currency}
        />,
      ],
      ['In stock', product.in_stock.toLocaleString('en')],
      ['At most per order', product.buy_limit_num === 0 ? 'Any number' : String(product.buy_limit_num)],
      ['Description', product.gd_description || '–'],
      ['Found by', product.keywords || '–'],
      ['Buyers are told', product.buy_prompt || '–'],
      [
        'Paid by',
        product.payment_policy === 'automatic'
          ? 'Any channel that serves you'
          : product.payment_methods.map(channelName).join(', '),
      ],
    ]}
  />
);

const Enablement = ({ product, save }: { product: ManagedProduct; save: Save }) => (
  <ActionButton
    label={product.enabled ? 'Take off sale' : 'Put on sale'}
    icon={<IconPower size={16} />}
    color={product.enabled ? 'red' : 'teal'}
    title={product.enabled ? 'Take off sale' : 'Put on sale'}
    confirm={product.enabled ? 'Take off sale' : 'Put on sale'}
    consequences={() =>
      product.enabled
        ? ['It cannot be ordered any more.', 'Orders that exist keep what they were made with.']
        : ['It can be ordered at once, at the price and the tiers that stand here.']
    }
    submit={() => save({ enabled: !product.enabled })}
    done={({ enabled }) => (enabled ? 'It is for sale.' : 'It is off sale.')}
  />
);
