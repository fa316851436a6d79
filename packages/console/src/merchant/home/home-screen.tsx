import { SimpleGrid, Stack, Text, ThemeIcon, Group } from '@mantine/core';
import { IconAlertTriangle, IconBellX, IconCheck, IconHourglass, IconWallet } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { answerOf, api } from '../../api/client.ts';
import { AppLink } from '../../components/link.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { Ptk } from '../../components/money.tsx';
import { Page } from '../../components/page.tsx';
import { Panel } from '../../components/panel.tsx';
import { Stat } from '../../components/stat.tsx';
import { useMerchantNo, useOwnMerchant } from '../merchant-no.ts';

const icon = { size: 17, stroke: 1.7 } as const;

/** How the business does, and what to do next. */
export function HomeScreen() {
  const merchant_no = useMerchantNo();
  const merchant = useOwnMerchant();
  const params = { path: { merchant_no } };
  const wallet = useQuery({
    queryKey: ['merchant', merchant_no, 'wallet'],
    queryFn: ({ signal }) =>
      answerOf(api.GET('/console/v1/merchants/{merchant_no}/wallet', { params, signal })),
  });
  const failing = useQuery({
    queryKey: ['merchant', merchant_no, 'failing'],
    queryFn: ({ signal }) =>
      answerOf(
        api.GET('/console/v1/merchants/{merchant_no}/notifications', {
          params: { ...params, query: { status: 'failed', limit: 100 } },
          signal,
        }),
      ),
  });
  const review = useQuery({
    queryKey: ['merchant', merchant_no, 'review'],
    queryFn: ({ signal }) =>
      answerOf(
        api.GET('/console/v1/merchants/{merchant_no}/collection-orders', {
          params: { ...params, query: { status: 'review', limit: 100 } },
          signal,
        }),
      ),
  });
  return (
    <Page title={merchant?.name ?? 'Home'} about="How your business does today, and what waits for you.">
      <Loaded of={wallet}>
        {({ available_ptk, held_ptk }) => (
          <SimpleGrid cols={{ base: 1, xs: 2, lg: 4 }}>
            <Stat name="Available" value={<Ptk minor={available_ptk} />} icon={<IconWallet {...icon} />} />
            <Stat name="Held" value={<Ptk minor={held_ptk} />} icon={<IconHourglass {...icon} />} />
            <Stat
              name="In review"
              value={countOf(review.data)}
              loading={review.isPending}
              tone={review.data?.items.length === 0 ? 'calm' : 'warn'}
              icon={<IconAlertTriangle {...icon} />}
              note={
                <AppLink
                  to="/console/merchants/$merchant_no/orders"
                  params={{ merchant_no }}
                  search={{ status: 'review' }}
                >
                  Look at them
                </AppLink>
              }
            />
            <Stat
              name="Notifications that failed"
              value={countOf(failing.data)}
              loading={failing.isPending}
              tone={failing.data?.items.length === 0 ? 'calm' : 'alarm'}
              icon={<IconBellX {...icon} />}
              note={
                <AppLink
                  to="/console/merchants/$merchant_no/notifications"
                  params={{ merchant_no }}
                  search={{ status: 'failed' }}
                >
                  Replay them
                </AppLink>
              }
            />
          </SimpleGrid>
        )}
      </Loaded>
      <SetUp merchant_no={merchant_no} />
    </Page>
  );
}

const countOf = (page: { items: readonly unknown[]; next_cursor?: string } | undefined): string =>
  page === undefined ? '–' : `${page.items.length}${page.next_cursor === undefined ? '' : '+'}`;

/** What a new merchant does first; gone once all of it is done. */
function SetUp({ merchant_no }: { merchant_no: string }) {
  const path = { merchant_no };
  const steps = useQuery({
    queryKey: ['merchant', merchant_no, 'set-up'],
    queryFn: async ({ signal }) => {
      const one = { path, query: { limit: 1 } };
      const [clients, settings, orders] = await Promise.all([
        answerOf(api.GET('/console/v1/merchants/{merchant_no}/clients', { params: one, signal })),
        answerOf(
          api.GET('/console/v1/merchants/{merchant_no}/notification-settings', { params: { path }, signal }),
        ),
        answerOf(api.GET('/console/v1/merchants/{merchant_no}/collection-orders', { params: one, signal })),
      ]);
      return {
        client: clients.items.length > 0,
        approved: clients.items.some(({ scopes }) => scopes.length > 0),
        notified: settings.enabled,
        ordered: orders.items.length > 0,
      };
    },
  });
  if (steps.data === undefined || Object.values(steps.data).every(Boolean)) return null;
  const { client, approved, notified, ordered } = steps.data;
  return (
    <Panel title="Set up" about="From here to the first payment.">
      <Stack gap="sm">
        <Step done={client} to="/console/merchants/$merchant_no/developers" merchant_no={merchant_no}>
          Create a client for your server, and keep its secret
        </Step>
        <Step done={approved} to="/console/merchants/$merchant_no/developers" merchant_no={merchant_no}>
          Have its scopes approved by an administrator
        </Step>
        <Step
          done={notified}
          to="/console/merchants/$merchant_no/notification-settings"
          merchant_no={merchant_no}
        >
          Say where your server is told of payments
        </Step>
        <Step done={ordered} to="/console/merchants/$merchant_no/developers" merchant_no={merchant_no}>
          Create the first order from your server
        </Step>
      </Stack>
    </Panel>
  );
}

interface StepProps {
  done: boolean;
  to: '/console/merchants/$merchant_no/developers' | '/console/merchants/$merchant_no/notification-settings';
  merchant_no: string;
  children: string;
}

const Step = ({ done, to, merchant_no, children }: StepProps) => (
  <Group gap="sm" wrap="nowrap">
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
        {children} (done)
      </Text>
    ) : (
      <AppLink to={to} params={{ merchant_no }} size="sm">
        {children}
      </AppLink>
    )}
  </Group>
);
