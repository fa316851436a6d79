/** The dialog that edits a product's own members. */
import { IconPencil } from '@tabler/icons-react';
import type { ManagedProduct, ProductChange } from '../../api/products.ts';
import { ActionButton } from '../../components/dialog/action-dialog.tsx';
import { type Field, isWhole, listOf, textOf, type Values } from '../../components/dialog/fields.ts';
import type { Choice } from '../../components/dialog/finder.tsx';
import { fixed8Of, priceOf } from '../../money/fixed8.ts';
import type { Save } from './use-save.ts';

interface ProductEditProps {
  product: ManagedProduct;
  save: Save;
  /** The channels that buyers may pay by. */
  channels: Choice[];
}

/** The button that opens the dialog. The rows of a product have panels of their own. */
export const ProductEdit = ({ product, save, channels }: ProductEditProps) => (
  <ActionButton
    label="Edit"
    icon={<IconPencil size={16} />}
    title={`Edit ${product.gd_name}`}
    confirm="Save"
    fields={fieldsOf(product, channels)}
    submit={(values) => save(changeOf(product, values))}
    done={() => 'Saved.'}
  />
);

const isAllowlist = (values: Values): boolean => values.payment_policy === 'allowlist';

function fieldsOf(product: ManagedProduct, channels: Choice[]): Field[] {
  const price = (name: string, label: string, value: ManagedProduct['actual_price']) => ({
    name,
    label,
    required: true,
    unit: product.currency,
    initial: priceOf(value, product.currency_decimals),
    check: (text: unknown) => (fixed8Of(String(text)) === null ? 'A number such as 9.99.' : null),
  });
  return [
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
  ];
}

function changeOf(product: ManagedProduct, values: Values): ProductChange {
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
    ...(textOf(values, 'in_stock') === String(product.in_stock)
      ? {}
      : { in_stock: Number(textOf(values, 'in_stock')) }),
  };
}
