import { IconPencil, IconPower } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { changeProduct, type ManagedProduct, paymentChannelsQuery, readProduct } from '../../api/products.ts';
import { ActionButton } from '../../components/dialog/action-dialog.tsx';
import { Identifier } from '../../components/values/copy-button.tsx';
import { Facts } from '../../components/values/facts.tsx';
import { isWhole, listOf, textOf, type Values } from '../../components/dialog/fields.ts';
import type { Choice } from '../../components/dialog/finder.tsx';
import { AppLink } from '../../components/page/link.tsx';
import { Loaded } from '../../components/page/loaded.tsx';
import { Amount } from '../../components/values/money.tsx';
import { Page } from '../../components/page/page.tsx';
import { Panel } from '../../components/page/panel.tsx';
import { Status } from '../../components/values/status.tsx';
import { useParam } from '../../components/list/view-state.ts';
import { fixed8Of, priceOf } from '../../money/fixed8.ts';
import { useMayWrite, useMerchantNo } from '../merchant-no.ts';
import { CodesPanel } from './codes-panel.tsx';
import { InputsPanel } from './inputs-panel.tsx';
import { TiersPanel } from './tiers-panel.tsx';
import type { Save } from './use-save.ts';

/** One product: its price and tiers, what buyers are asked for, its stock and codes. */
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
  // One that serves no longer may still be named, and can be taken out.
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
              actions={mayWrite && <Edit product={found} save={save} channels={channelsFor(found)} />}
            >
              <Facts
                of={[
                  [
                    'Price of one',
                    <Amount
                      key="price"
                      amount={priceOf(found.actual_price, found.currency_decimals)}
                      currency={found.currency}
                    />,
                  ],
                  [
                    'Elsewhere',
                    <Amount
                      key="retail"
                      amount={priceOf(found.retail_price, found.currency_decimals)}
                      currency={found.currency}
                    />,
                  ],
                  ['In stock', found.in_stock.toLocaleString('en')],
                  [
                    'At most per order',
                    found.buy_limit_num === 0 ? 'Any number' : String(found.buy_limit_num),
                  ],
                  ['Description', found.gd_description || '–'],
                  ['Found by', found.keywords || '–'],
                  ['Buyers are told', found.buy_prompt || '–'],
                  [
                    'Paid by',
                    found.payment_policy === 'automatic'
                      ? 'Any channel that serves you'
                      : found.payment_methods.map(channelName).join(', '),
                  ],
                ]}
              />
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

const isAllowlist = (values: Values): boolean => values.payment_policy === 'allowlist';

const Edit = ({ product, save, channels }: { product: ManagedProduct; save: Save; channels: Choice[] }) => {
  const price = (name: string, label: string, value: ManagedProduct['actual_price']) => ({
    name,
    label,
    required: true,
    unit: product.currency,
    initial: priceOf(value, product.currency_decimals),
    check: (text: unknown) => (fixed8Of(String(text)) === null ? 'A number such as 9.99.' : null),
  });
  return (
    <ActionButton
      label="Edit"
      icon={<IconPencil size={16} />}
      title={`Edit ${product.gd_name}`}
      confirm="Save"
      fields={[
        { name: 'gd_name', label: 'Name', required: true, initial: product.gd_name },
        { name: 'gd_description', label: 'Description', kind: 'lines', initial: product.gd_description },
        price('actual_price', 'Price of one', product.actual_price),
        price('retail_price', 'Price elsewhere', product.retail_price),
        {
          name: 'in_stock',
          label: 'In stock',
          kind: 'number',
          required: true,
          initial: String(product.in_stock),
          check: isWhole,
        },
        {
          name: 'buy_limit_num',
          label: 'At most per order',
          about: '0: any number.',
          kind: 'number',
          required: true,
          initial: String(product.buy_limit_num),
          check: isWhole,
        },
        {
          name: 'keywords',
          label: 'Found by',
          about: 'Words that buyers do not see.',
          initial: product.keywords,
        },
        { name: 'buy_prompt', label: 'Buyers are told', kind: 'lines', initial: product.buy_prompt },
        {
          name: 'payment_policy',
          label: 'Paid by',
          kind: 'choice',
          required: true,
          initial: product.payment_policy,
          choices: [
            { value: 'automatic', label: 'Any channel that serves you' },
            { value: 'allowlist', label: 'Chosen channels alone' },
          ],
        },
        {
          name: 'payment_methods',
          label: 'Channels',
          kind: 'choices',
          required: true,
          initial: product.payment_methods,
          choices: channels,
          when: isAllowlist,
        },
      ]}
      submit={(values) =>
        save({
          gd_name: textOf(values, 'gd_name'),
          gd_description: textOf(values, 'gd_description'),
          actual_price: (fixed8Of(textOf(values, 'actual_price')) ?? 0n).toString(),
          retail_price: (fixed8Of(textOf(values, 'retail_price')) ?? 0n).toString(),
          buy_limit_num: Number(textOf(values, 'buy_limit_num')),
          keywords: textOf(values, 'keywords'),
          buy_prompt: textOf(values, 'buy_prompt'),
          ...(isAllowlist(values)
            ? { payment_policy: 'allowlist', payment_methods: listOf(values, 'payment_methods') }
            : { payment_policy: 'automatic' }),
          // Unchanged stock is not sent: an order may have taken from it meanwhile.
          ...(textOf(values, 'in_stock') === String(product.in_stock)
            ? {}
            : { in_stock: Number(textOf(values, 'in_stock')) }),
        })
      }
      done={() => 'Saved.'}
    />
  );
};
