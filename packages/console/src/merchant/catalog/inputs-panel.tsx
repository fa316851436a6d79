/** The panel that edits the questions to buyers of a product. */
import { Switch, TextInput } from '@mantine/core';
import type { ManagedProduct } from '../../api/products.ts';
import { useDraft } from '../../components/page/draft.tsx';
import { type AskedInput, inputOf, writtenInput } from './asked-input.ts';
import { RowsPanel } from './rows-panel.tsx';
import type { Save } from './use-save.ts';
import { textsOf } from '../../texts/texts.ts';

const t = textsOf('catalog');

const fresh: AskedInput = { key: '', label: '', placeholder: '', required: true };

export function InputsPanel({ product, save }: { product: ManagedProduct; save: Save | null }) {
  const {
    draft: inputs,
    setDraft,
    ...state
  } = useDraft<readonly AskedInput[]>(product.other_ipu_cnf.map(inputOf));
  const written = inputs.map(writtenInput);
  const isChanged = JSON.stringify(written) !== JSON.stringify(product.other_ipu_cnf);
  return (
    <RowsPanel
      title={t('questions_to_buyers')}
      about={t('what_you_need_for_the_delivery')}
      name={t('question')}
      add={t('add_question')}
      saveAll={t('save_questions')}
      nothing={t('no_questions_buyers_are_asked_nothing')}
      rows={inputs}
      setRows={setDraft}
      fresh={fresh}
      changed={isChanged ? { other_ipu_cnf: written } : null}
      save={save}
      {...state}
    >
      {(input, change) => (
        <>
          <TextInput
            label={t('key')}
            value={input.key}
            onChange={(event) => change({ ...input, key: event.currentTarget.value })}
            w={140}
          />
          <TextInput
            label={t('question')}
            value={input.label}
            onChange={(event) => change({ ...input, label: event.currentTarget.value })}
            w={220}
          />
          <TextInput
            label={t('example')}
            value={input.placeholder}
            onChange={(event) => change({ ...input, placeholder: event.currentTarget.value })}
            w={180}
          />
          <Switch
            label={t('required')}
            checked={input.required}
            onChange={(event) => change({ ...input, required: event.currentTarget.checked })}
            mb={8}
          />
        </>
      )}
    </RowsPanel>
  );
}
