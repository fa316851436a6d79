/** The panel that edits the questions to buyers of a product. */
import { Switch, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { ManagedProduct } from '../../api/products.ts';
import { type AskedInput, inputOf, writtenInput } from './asked-input.ts';
import { RowsPanel } from './rows-panel.tsx';
import type { Save } from './use-save.ts';

const fresh: AskedInput = { key: '', label: '', placeholder: '', required: true };

export function InputsPanel({ product, save }: { product: ManagedProduct; save: Save | null }) {
  const [inputs, setInputs] = useState<readonly AskedInput[]>(() => product.other_ipu_cnf.map(inputOf));
  const written = inputs.map(writtenInput);
  const isChanged = JSON.stringify(written) !== JSON.stringify(product.other_ipu_cnf);
  return (
    <RowsPanel
      title="Buyers are asked for"
      about="Where to deliver to: an account, an e-mail address. Each has a key of its own, which programs use."
      one="question"
      all="questions"
      nothing="Nothing."
      rows={inputs}
      setRows={setInputs}
      fresh={fresh}
      changed={isChanged ? { other_ipu_cnf: written } : null}
      save={save}
    >
      {(input, change) => (
        <>
          <TextInput
            label="Key"
            value={input.key}
            onChange={(event) => change({ ...input, key: event.currentTarget.value })}
            w={140}
          />
          <TextInput
            label="Question"
            value={input.label}
            onChange={(event) => change({ ...input, label: event.currentTarget.value })}
            w={220}
          />
          <TextInput
            label="Example"
            value={input.placeholder}
            onChange={(event) => change({ ...input, placeholder: event.currentTarget.value })}
            w={180}
          />
          <Switch
            label="Required"
            checked={input.required}
            onChange={(event) => change({ ...input, required: event.currentTarget.checked })}
            mb={8}
          />
        </>
      )}
    </RowsPanel>
  );
}
