import { Badge, Group, Text } from '@mantine/core';
import { textsOf } from '../../texts/texts.ts';

const t = textsOf('business');

/** The scopes of a client. */
export const Scopes = ({ of }: { of: readonly string[] }) =>
  of.length === 0 ? (
    <Text size="sm" c="dimmed">
      {t('none')}
    </Text>
  ) : (
    <Group gap={4}>
      {of.map((scope) => (
        <Badge key={scope} variant="default" radius="sm" tt="none" fw={500} className="scope">
          {scope}
        </Badge>
      ))}
    </Group>
  );
