import { Center, Stack, Text, Title } from '@mantine/core';

export function Start() {
  return (
    <Center mih="60vh">
      <Stack align="center">
        <Title order={1}>Paydesk</Title>
        <Text c="dimmed">Choose a merchant.</Text>
      </Stack>
    </Center>
  );
}
