import { Alert, Anchor, Group, Stack, Text } from '@mantine/core';
import { IconLink } from '@tabler/icons-react';
import { CopyButton } from './copy-button.tsx';
import { textsOf } from '../../texts/texts.ts';

const t = textsOf('core');

interface LinkProps {
  name: string;
  title: string;
  url: string;
  note: string;
}

/** An address to send to a buyer, with a button to copy it. */
export const LinkToSend = ({ name, title, url, note }: LinkProps) => (
  <Alert color="teal" variant="light" icon={<IconLink size={18} />} title={title}>
    <Stack gap="xs">
      <Group gap="xs" wrap="nowrap">
        <Anchor href={url} target="_blank" rel="noreferrer" className="wrap" size="sm">
          {url}
        </Anchor>
        <CopyButton value={url} label={t('copy_name', { name })} />
      </Group>
      <Text size="sm">{note}</Text>
    </Stack>
  </Alert>
);
