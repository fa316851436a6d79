/** The dialog that edits a product's own members. */
import { IconPencil } from '@tabler/icons-react';
import type { ManagedProduct, ProductChange } from '../../api/products.ts';
import { ActionButton } from '../../components/dialog/action-dialog.tsx';
import { type Field, isWhole, listOf, textOf, type Values } from '../../components/dialog/fields.ts';
import type { Choice } from '../../components/dialog/finder.tsx';
import { fixed8Of, priceOf } from '../../money/fixed8.ts';
import type { Save } from './use-save.ts';
import { textsOf } from '../../texts/texts.ts';

const t = textsOf('catalog');

interface ProductEditProps {
  product: ManagedProduct;
  save: Save;
  /** The channels that buyers may pay by. */
  channels: Choice[];
}

/** The button that opens the dialog. The rows of a product have panels of their own. */
export const ProductEdit = ({ product, save, channels }: ProductEditProps) => (
  <ActionButton
    label={t('edit')}
    icon={<IconPencil size={16} />}
    title={t('edit_gd_name', { gd_name: product.gd_name })}
    confirm={t('save')}
    fields={fieldsOf(product, channels)}
    submit={(values, initial) => save(changeOf(initial, values))}
    done={() => t('saved')}
  />
);

const isAllowlist = (values: Values): boolean => values.payment_policy === 'allowlist';

function fieldsOf(product: ManagedProduct, channels: Choice[]): Field[] {
  const price = (name: string, label: string, value: ManagedProduct['actual_price']) => ({
    name,
    label,
    kind: 'amount' as const,
    required: true,
    unit: product.currency,
    initial: priceOf(value, product.currency_decimals),
    check: (text: unknown) => (fixed8Of(String(text)) === null ? t('enter_a_number_such_as_9') : null),
  });
  return [
    { name: 'gd_name', label: t('name'), required: true, initial: product.gd_name },
    { name: 'gd_description', label: t('description'), kind: 'lines', initial: product.gd_description },
    price('actual_price', t('unit_price'), product.actual_price),
    price('retail_price', t('reference_price'), product.retail_price),
    {
      name: 'in_stock',
      label: t('in_stock'),
      kind: 'number',
      required: true,
      initial: String(product.in_stock),
      check: isWhole,
    },
    {
      name: 'buy_limit_num',
      label: t('maximum_per_order'),
      about: t('n_0_means_no_limit'),
      kind: 'number',
      required: true,
      initial: String(product.buy_limit_num),
      check: isWhole,
    },
    {
      name: 'keywords',
      label: t('search_keywords'),
      about: t('not_shown_to_buyers'),
      initial: product.keywords,
    },
    { name: 'buy_prompt', label: t('message_after_payment'), kind: 'lines', initial: product.buy_prompt },
    {
      name: 'payment_policy',
      label: t('payable_through'),
      kind: 'choice',
      required: true,
      initial: product.payment_policy,
      choices: [
        { value: 'automatic', label: t('all_channels_available_to_you') },
        { value: 'allowlist', label: t('selected_channels_only') },
      ],
    },
    {
      name: 'payment_methods',
      label: t('channels'),
      kind: 'choices',
      required: true,
      initial: product.payment_methods,
      choices: channels,
      when: isAllowlist,
    },
  ];
}

function changeOf(initial: Values, values: Values): ProductChange {
  return {
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
    ...(textOf(values, 'in_stock') === textOf(initial, 'in_stock')
      ? {}
      : { in_stock: Number(textOf(values, 'in_stock')) }),
  };
}
