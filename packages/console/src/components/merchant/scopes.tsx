import { Badge, Group, Text } from '@mantine/core';

/** The scopes of a client. */
export const Scopes = ({ of }: { of: readonly string[] }) =>
  of.length === 0 ? (
    <Text size="sm" c="dimmed">
      None
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
