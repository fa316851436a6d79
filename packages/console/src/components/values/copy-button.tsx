import { ActionIcon, CopyButton as Copy, Group } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { Hint } from './hint.tsx';
import { textsOf } from '../../texts/texts.ts';

const t = textsOf('core');

/** Copies a text and confirms it. */
export function CopyButton({ value, label }: { value: string; label: string }) {
  return (
    <Copy value={value} timeout={1_500}>
      {({ copied, copy }) => (
        <Hint label={copied ? t('copied') : label}>
          <ActionIcon
            aria-label={copied ? t('copied') : label}
            color={copied ? 'teal' : 'gray'}
            variant="subtle"
            size={24}
            onClick={(event) => {
              event.stopPropagation();
              event.preventDefault();
              copy();
            }}
          >
            {copied ? <IconCheck size={15} /> : <IconCopy size={15} />}
          </ActionIcon>
        </Hint>
      )}
    </Copy>
  );
}

/** An identifier that can be copied. */
export function Identifier({ value, name }: { value: string; name: string }) {
  return (
    <Group gap={4} wrap="nowrap" display="inline-flex">
      <span className="identifier">{value}</span>
      <CopyButton value={value} label={t('copy_name', { name })} />
    </Group>
  );
}
