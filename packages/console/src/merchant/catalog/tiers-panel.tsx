import { ActionIcon, Alert, Button, Group, SimpleGrid, Stack, Text, TextInput } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import type { ManagedProduct } from '../../api/products.ts';
import { Facts } from '../../components/facts.tsx';
import { Amount } from '../../components/money.tsx';
import { Panel } from '../../components/panel.tsx';
import { priceOf, type Tier, tierOf, totalOf } from '../../fixed8.ts';
import type { Save } from './product-screen.tsx';
import { useSave } from './use-save.ts';

/** From so many on, so much each, and at once what any number comes to. */
export function TiersPanel({ product, save }: { product: ManagedProduct; save: Save | null }) {
  const [tiers, setTiers] = useState<Tier[]>(() => product.wholesale_price_cnf.map(tierOf));
  const [quantity, setQuantity] = useState('10');
  const saving = useSave(save);
  const written = tiers.map(({ from, price }) => `${from.trim()}=${price.trim()}`);
  const isChanged = JSON.stringify(written) !== JSON.stringify(product.wholesale_price_cnf);
  const change = (at: number, tier: Tier) => setTiers(tiers.map((one, index) => (index === at ? tier : one)));
  const count = /^\d{1,9}$/.test(quantity) ? BigInt(quantity) : null;
  const result = count === null ? null : totalOf(count, BigInt(product.actual_price), tiers);
  const show = (value: bigint) => (
    <Amount amount={priceOf(value.toString(), product.currency_decimals)} currency={product.currency} />
  );
  return (
    <Panel
      title="Tiers"
      about="Whoever orders more pays less for each. Numbers rise from tier to tier, prices fall."
      actions={
        save !== null && (
          <Button
            disabled={!isChanged}
            loading={saving.isPending}
            onClick={() => saving.mutate({ wholesale_price_cnf: written })}
          >
            Save the tiers
          </Button>
        )
      }
    >
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="xl">
        <Stack gap="xs">
          {saving.problem !== null && (
            <Alert color="red" role="alert" title="Not saved">
              {saving.problem}
            </Alert>
          )}
          {tiers.length === 0 && (
            <Text size="sm" c="dimmed">
              One price for any number.
            </Text>
          )}
          {tiers.map((tier, index) => (
            <Group key={index} gap="xs" align="flex-end" wrap="nowrap">
              <TextInput
                label="From"
                value={tier.from}
                inputMode="numeric"
                onChange={(event) => change(index, { ...tier, from: event.currentTarget.value })}
                w={90}
              />
              <TextInput
                label={`Each, ${product.currency}`}
                value={tier.price}
                onChange={(event) => change(index, { ...tier, price: event.currentTarget.value })}
              />
              <ActionIcon
                variant="subtle"
                color="red"
                mb={6}
                aria-label={`Remove tier ${index + 1}`}
                onClick={() => setTiers(tiers.filter((_, other) => other !== index))}
              >
                <IconTrash size={16} />
              </ActionIcon>
            </Group>
          ))}
          <div>
            <Button
              variant="default"
              size="xs"
              leftSection={<IconPlus size={14} />}
              onClick={() => setTiers([...tiers, { from: '', price: '' }])}
            >
              Add a tier
            </Button>
          </div>
        </Stack>
        <Stack gap="xs">
          <TextInput
            label="Try a number"
            value={quantity}
            inputMode="numeric"
            onChange={(event) => setQuantity(event.currentTarget.value)}
            w={140}
          />
          {result !== null && (
            <Facts
              of={[
                ['Each', show(result.each)],
                ['Together', <strong key="total">{show(result.total)}</strong>],
              ]}
            />
          )}
        </Stack>
      </SimpleGrid>
    </Panel>
  );
}
