import { Box, Code, Group } from '@mantine/core';
import { CopyButton } from './copy-button.tsx';

/** A whole answer of the service as JSON, to be copied. */
export function RawJson({ value, name }: { value: unknown; name: string }) {
  const text = JSON.stringify(value, null, 2);
  return (
    <Box pos="relative">
      <Group pos="absolute" top={8} right={8}>
        <CopyButton value={text} label={`Copy the ${name}`} />
      </Group>
      <Code block tabIndex={0} role="region" aria-label={name} mah={480} style={{ overflow: 'auto' }}>
        {text}
      </Code>
    </Box>
  );
}
