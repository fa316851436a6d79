import { Alert, Code, Group, Stack, Text } from '@mantine/core';
import { IconKey } from '@tabler/icons-react';
import { CopyButton } from './copy-button.tsx';
import { textsOf } from '../../texts/texts.ts';

const t = textsOf('core');

/** A secret that is shown only now, with a button to copy it. */
export function SecretOnce({ name, value, note }: { name: string; value: string; note?: string }) {
  return (
    <Alert
      color="orange"
      variant="light"
      icon={<IconKey size={18} />}
      title={t('name_shown_once', { name })}
      data-seen-once
    >
      <Stack gap="xs">
        <Text size="sm">{t('copy_it_now_and_store_it')}</Text>
        <Group gap="xs" wrap="nowrap">
          <Code fz="sm" className="wrap" data-testid="secret">
            {value}
          </Code>
          <CopyButton value={value} label={t('copy_name', { name })} />
        </Group>
        {note !== undefined && <Text size="sm">{note}</Text>}
      </Stack>
    </Alert>
  );
}
