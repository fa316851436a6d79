import { Alert, Code, Group, Stack, Text } from '@mantine/core';
import { IconKey } from '@tabler/icons-react';
import { CopyButton } from './copy-button.tsx';

/** A secret that is shown only now, with a button to copy it. */
export function SecretOnce({ name, value, note }: { name: string; value: string; note?: string }) {
  return (
    <Alert color="orange" variant="light" icon={<IconKey size={18} />} title={`${name}: shown once`}>
      <Stack gap="xs">
        <Text size="sm">
          Copy it now and keep it where your server reads its secrets. It cannot be shown again.
        </Text>
        <Group gap="xs" wrap="nowrap">
          <Code fz="sm" className="wrap" data-testid="secret">
            {value}
          </Code>
          <CopyButton value={value} label={`Copy the ${name.toLowerCase()}`} />
        </Group>
        {note !== undefined && <Text size="sm">{note}</Text>}
      </Stack>
    </Alert>
  );
}
