import { ActionIcon, Alert, Button, Group, Stack, Switch, Text, TextInput } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import type { ManagedProduct } from '../../api/products.ts';
import { Panel } from '../../components/panel.tsx';
import { type AskedInput, inputOf, writtenInput } from './asked-input.ts';
import type { Save } from './product-screen.tsx';
import { useSave } from './use-save.ts';

/** What buyers are asked for beside the number. */
export function InputsPanel({ product, save }: { product: ManagedProduct; save: Save | null }) {
  const [inputs, setInputs] = useState<AskedInput[]>(() => product.other_ipu_cnf.map(inputOf));
  const saving = useSave(save);
  const written = inputs.map(writtenInput);
  const isChanged = JSON.stringify(written) !== JSON.stringify(product.other_ipu_cnf);
  const change = (at: number, input: AskedInput) =>
    setInputs(inputs.map((one, index) => (index === at ? input : one)));
  return (
    <Panel
      title="Buyers are asked for"
      about="Where to deliver to: an account, an e-mail address. Each has a key of its own, which programs use."
      actions={
        save !== null && (
          <Button
            disabled={!isChanged}
            loading={saving.isPending}
            onClick={() => saving.mutate({ other_ipu_cnf: written })}
          >
            Save the questions
          </Button>
        )
      }
    >
      <Stack gap="xs">
        {saving.problem !== null && (
          <Alert color="red" role="alert" title="Not saved">
            {saving.problem}
          </Alert>
        )}
        {inputs.length === 0 && (
          <Text size="sm" c="dimmed">
            Nothing.
          </Text>
        )}
        {inputs.map((input, index) => (
          <Group key={index} gap="xs" align="flex-end">
            <TextInput
              label="Key"
              value={input.key}
              onChange={(event) => change(index, { ...input, key: event.currentTarget.value })}
              w={140}
            />
            <TextInput
              label="Question"
              value={input.label}
              onChange={(event) => change(index, { ...input, label: event.currentTarget.value })}
              w={220}
            />
            <TextInput
              label="Example"
              value={input.placeholder}
              onChange={(event) => change(index, { ...input, placeholder: event.currentTarget.value })}
              w={180}
            />
            <Switch
              label="Required"
              checked={input.required}
              onChange={(event) => change(index, { ...input, required: event.currentTarget.checked })}
              mb={8}
            />
            <ActionIcon
              variant="subtle"
              color="red"
              mb={6}
              aria-label={`Remove question ${index + 1}`}
              onClick={() => setInputs(inputs.filter((_, other) => other !== index))}
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
            onClick={() => setInputs([...inputs, { key: '', label: '', placeholder: '', required: true }])}
          >
            Add a question
          </Button>
        </div>
      </Stack>
    </Panel>
  );
}
