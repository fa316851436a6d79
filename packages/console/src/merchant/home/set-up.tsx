/** The steps that a new merchant takes first. */
import { Group, Stack, Text, ThemeIcon } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';
import type { Home } from '../../api/merchants.ts';
import { AppLink } from '../../components/page/link.tsx';
import { Panel } from '../../components/page/panel.tsx';

type Step = Home['steps'][number];

const words: Record<
  Step['step'],
  readonly [what: string, where: 'settings' | 'developers' | 'notification-settings']
> = {
  profile: ['Describe your business to buyers', 'settings'],
  client: ['Create a client for your server, and keep its secret', 'developers'],
  scopes: ['Have its scopes approved by an administrator', 'developers'],
  notifications: ['Say where your server is told of payments', 'notification-settings'],
  order: ['Create the first order from your server', 'developers'],
  payment: ['See the first payment arrive', 'developers'],
};

/** Lists the steps; gone once all are done. */
export function SetUp({ steps, merchant_no }: { steps: Home['steps']; merchant_no: string }) {
  if (steps.every(({ done }) => done)) return null;
  return (
    <Panel title="Set up" about="From here to the first payment.">
      <Stack gap="sm">
        {steps.map(({ step, done }) => (
          <Group key={step} gap="sm" wrap="nowrap">
            <ThemeIcon
              size={24}
              radius="xl"
              color={done ? 'teal' : 'gray'}
              variant={done ? 'filled' : 'outline'}
              aria-hidden
            >
              {done && <IconCheck size={15} />}
            </ThemeIcon>
            {done ? (
              <Text size="sm" c="dimmed">
                {words[step][0]} (done)
              </Text>
            ) : (
              <AppLink
                to={`/console/merchants/$merchant_no/${words[step][1]}`}
                params={{ merchant_no }}
                size="sm"
              >
                {words[step][0]}
              </AppLink>
            )}
          </Group>
        ))}
      </Stack>
    </Panel>
  );
}
