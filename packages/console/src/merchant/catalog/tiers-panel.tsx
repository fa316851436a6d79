/** The panel that edits the prices of larger quantities. */
import { Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { ManagedProduct } from '../../api/products.ts';
import { useDraft } from '../../components/page/draft.tsx';
import { Facts } from '../../components/values/facts.tsx';
import { Amount } from '../../components/values/money.tsx';
import { priceOf, type Tier, tierOf, totalOf } from '../../money/fixed8.ts';
import { typedAmount } from '../../money/typed-amount.ts';
import { RowsPanel } from './rows-panel.tsx';
import type { Save } from './use-save.ts';
import { textsOf } from '../../texts/texts.ts';

const t = textsOf('catalog');

const fresh: Tier = { from: '', price: '' };

/** The tiers of a product, and a trial that shows at once what a quantity costs. */
export function TiersPanel({ product, save }: { product: ManagedProduct; save: Save | null }) {
  const {
    draft: tiers,
    setDraft,
    ...state
  } = useDraft<readonly Tier[]>(product.wholesale_price_cnf.map(tierOf));
  const typed = tiers.map(({ from, price }) => ({ from: typedAmount(from), price: typedAmount(price) }));
  const written = typed.map(({ from, price }) => `${from}=${price}`);
  const isChanged = JSON.stringify(written) !== JSON.stringify(product.wholesale_price_cnf);
  return (
    <RowsPanel
      title={t('tiers')}
      about={t('volume_prices_larger_quantities_cost_less')}
      name={t('tier')}
      add={t('add_tier')}
      saveAll={t('save_tiers')}
      nothing={t('one_price_for_any_quantity')}
      rows={tiers}
      setRows={setDraft}
      fresh={fresh}
      nowrap
      beside={<Trial product={product} tiers={typed} />}
      changed={isChanged ? { wholesale_price_cnf: written } : null}
      save={save}
      {...state}
    >
      {(tier, change) => (
        <>
          <TextInput
            label={t('from')}
            value={tier.from}
            inputMode="numeric"
            onChange={(event) => change({ ...tier, from: event.currentTarget.value })}
            w={90}
          />
          <TextInput
            label={t('unit_price_currency', { currency: product.currency })}
            value={tier.price}
            inputMode="decimal"
            onChange={(event) => change({ ...tier, price: event.currentTarget.value })}
          />
        </>
      )}
    </RowsPanel>
  );
}

/** The price of a quantity under the tiers as they are shown, saved or not. */
function Trial({ product, tiers }: { product: ManagedProduct; tiers: readonly Tier[] }) {
  const [quantity, setQuantity] = useState('10');
  const typed = typedAmount(quantity);
  const count = /^\d{1,9}$/.test(typed) ? BigInt(typed) : null;
  const result = count === null ? null : totalOf(count, BigInt(product.actual_price), tiers);
  const show = (value: bigint) => (
    <Amount amount={priceOf(value.toString(), product.currency_decimals)} currency={product.currency} />
  );
  return (
    <Stack gap="xs">
      <TextInput
        label={t('try_a_quantity')}
        value={quantity}
        inputMode="numeric"
        onChange={(event) => setQuantity(event.currentTarget.value)}
        w={140}
      />
      {result !== null && (
        <Facts
          of={[
            [t('unit_price_2'), show(result.each)],
            [t('total'), <strong key="total">{show(result.total)}</strong>],
          ]}
        />
      )}
    </Stack>
  );
}
