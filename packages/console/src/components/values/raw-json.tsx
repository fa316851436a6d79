import { Box, Code, Group } from '@mantine/core';
import { CopyButton } from './copy-button.tsx';
import { textsOf } from '../../texts/texts.ts';

const t = textsOf('core');

/** A whole answer of the service as JSON, to be copied. */
export function RawJson({ value, name }: { value: unknown; name: string }) {
  const text = JSON.stringify(value, null, 2);
  return (
    <Box pos="relative">
      {/* JSON begins at the left in every language, and the button would cover its beginning there. */}
      <Group pos="absolute" top={8} right={8}>
        <CopyButton value={text} label={t('copy_name', { name })} />
      </Group>
      <Code block tabIndex={0} role="region" aria-label={name} mah={480} style={{ overflow: 'auto' }}>
        {text}
      </Code>
    </Box>
  );
}
