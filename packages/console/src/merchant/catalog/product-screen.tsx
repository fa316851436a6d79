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
import { numberText } from '../../texts/format.ts';
import { textsOf } from '../../texts/texts.ts';

const t = textsOf('catalog');

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
      title={known?.gd_name ?? t('product')}
      above={
        <AppLink to="/console/merchants/$merchant_no/products" params={{ merchant_no }}>
          {t('products')}
        </AppLink>
      }
      beside={
        known !== undefined && (
          <Status
            value={known.enabled ? 'enabled' : 'disabled'}
            label={known.enabled ? t('on_sale') : t('not_on_sale')}
          />
        )
      }
      about={<Identifier value={gd_no} name={t('product_id')} />}
      actions={known !== undefined && mayWrite && <Enablement product={known} save={save} />}
    >
      <Loaded of={product} lines={6}>
        {(found) => (
          <>
            <Panel
              title={t('product')}
              actions={mayWrite && <ProductEdit product={found} save={save} channels={channelsFor(found)} />}
            >
              <ProductFacts product={found} channelName={channelName} />
            </Panel>
            <TiersPanel key={`t${gd_no}`} product={found} save={mayWrite ? save : null} />
            <InputsPanel key={`i${gd_no}`} product={found} save={mayWrite ? save : null} />
            <CodesPanel merchant_no={merchant_no} gd_no={gd_no} />
          </>
        )}
      </Loaded>
    </Page>
  );
}

const textOfPeople = (text: string) => (text === '' ? '–' : <span className="wrap">{text}</span>);

interface ProductFactsProps {
  product: ManagedProduct;
  channelName: (payment_no: string) => string;
}

const ProductFacts = ({ product, channelName }: ProductFactsProps) => (
  <Facts
    of={[
      [
        t('unit_price'),
        <Amount
          key="price"
          amount={priceOf(product.actual_price, product.currency_decimals)}
          currency={product.currency}
        />,
      ],
      [
        t('reference_price_2'),
        <Amount
          key="retail"
          amount={priceOf(product.retail_price, product.currency_decimals)}
          currency={product.currency}
        />,
      ],
      [t('in_stock'), numberText(product.in_stock)],
      [t('maximum_per_order'), product.buy_limit_num === 0 ? t('no_limit') : String(product.buy_limit_num)],
      [t('description'), textOfPeople(product.gd_description)],
      [t('search_keywords'), textOfPeople(product.keywords)],
      [t('message_after_payment'), textOfPeople(product.buy_prompt)],
      [
        t('payable_through'),
        product.payment_policy === 'automatic'
          ? t('all_channels_available_to_you')
          : product.payment_methods.map(channelName).join(', '),
      ],
    ]}
  />
);

const Enablement = ({ product, save }: { product: ManagedProduct; save: Save }) => (
  <ActionButton
    label={product.enabled ? t('stop_selling') : t('start_selling')}
    icon={<IconPower size={16} />}
    color={product.enabled ? 'red' : 'teal'}
    title={product.enabled ? t('stop_selling') : t('start_selling')}
    confirm={product.enabled ? t('stop_selling') : t('start_selling')}
    consequences={() =>
      product.enabled
        ? [t('it_can_no_longer_be_ordered'), t('existing_orders_stay_as_they_are')]
        : [t('it_can_be_ordered_at_once')]
    }
    submit={() => save({ enabled: !product.enabled })}
    done={({ enabled }) => (enabled ? t('the_product_is_on_sale') : t('the_product_is_no_longer_on'))}
  />
);
