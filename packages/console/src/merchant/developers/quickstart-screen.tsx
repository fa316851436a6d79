/** The way from a client to the first verified notification. Each step is noticed as it happens. */
import { Alert, Code, Group, Stack, Text, ThemeIcon, Title } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { answerOf, api, type components } from '../../api/client.ts';
import { AppLink } from '../../components/page/link.tsx';
import { Loaded } from '../../components/page/loaded.tsx';
import { Page } from '../../components/page/page.tsx';
import { Panel } from '../../components/page/panel.tsx';
import { CopyButton } from '../../components/values/copy-button.tsx';
import { useMayWrite, useMerchantNo } from '../merchant-no.ts';
import { TestEventPanel } from '../notifications/test-event.tsx';

type Quickstart = components['schemas']['Quickstart'];
type Step = Quickstart['steps'][number]['step'];

/** How often the page looks for what has happened. */
const look_ms = 3_000;

export function QuickstartScreen() {
  const merchant_no = useMerchantNo();
  const quickstart = useQuery({
    queryKey: ['merchant', merchant_no, 'quickstart'],
    queryFn: ({ signal }) =>
      answerOf(
        api.GET('/console/v1/merchants/{merchant_no}/quickstart', {
          params: { path: { merchant_no } },
          signal,
        }),
      ),
    refetchInterval: look_ms,
  });
  return (
    <Page
      title="Quickstart"
      about="From a client to the first verified notification. This page notices each step as it happens."
      above={
        <AppLink to="/console/merchants/$merchant_no/developers" params={{ merchant_no }}>
          Developers
        </AppLink>
      }
    >
      <Loaded of={quickstart} lines={8}>
        {(known) => <Steps of={known} merchant_no={merchant_no} />}
      </Loaded>
    </Page>
  );
}

const titles: Readonly<Record<Step, string>> = {
  client: 'Create a client',
  scopes: 'Get its scopes approved',
  token: 'Get an access token',
  endpoint: 'Save your webhook endpoint',
  test_event: 'Accept a test event',
  verified: 'Refuse a wrong signature',
  order: 'Create your first order',
  notification: 'Receive its first notification',
};

function Steps({ of, merchant_no }: { of: Quickstart; merchant_no: string }) {
  const next = of.steps.find(({ done }) => !done)?.step ?? null;
  return (
    <Panel title={next === null ? 'Done' : `Next: ${titles[next]}`}>
      {next === null && (
        <Alert color="teal" icon={<IconCheck size={18} />} mb="md">
          Your server creates orders, and verifies and takes notifications.
        </Alert>
      )}
      <Stack gap="lg" component="ol" p={0} m={0} style={{ listStyle: 'none' }}>
        {of.steps.map(({ step, done }, at) => (
          <Group key={step} component="li" wrap="nowrap" align="flex-start" gap="sm">
            <ThemeIcon
              size={26}
              radius="xl"
              color={done ? 'teal' : step === next ? 'brand' : 'gray'}
              variant={done ? 'filled' : 'outline'}
              aria-hidden
            >
              {done ? <IconCheck size={16} /> : <Text size="xs">{at + 1}</Text>}
            </ThemeIcon>
            <Stack gap={6} miw={0} flex={1}>
              <Title order={3} size="h5" c={done ? 'dimmed' : undefined}>
                {titles[step]}
                {done ? ' (done)' : ''}
              </Title>
              {step === next && <Help step={step} of={of} merchant_no={merchant_no} />}
            </Stack>
          </Group>
        ))}
      </Stack>
    </Panel>
  );
}

interface HelpProps {
  step: Step;
  of: Quickstart;
  merchant_no: string;
}

/** What to do for the next step. */
function Help({ step, of, merchant_no }: HelpProps) {
  const mayWrite = useMayWrite('notifications');
  const to = (where: 'developers' | 'notification-settings', words: string) => (
    <AppLink to={`/console/merchants/$merchant_no/${where}`} params={{ merchant_no }} size="sm">
      {words}
    </AppLink>
  );
  switch (step) {
    case 'client':
      return (
        <Words link={to('developers', 'Create a client')}>
          Your server signs in with it. Keep its secret on the server.
        </Words>
      );
    case 'scopes':
      return (
        <Words link={to('developers', 'See the application')}>
          The platform approves what your client may do. You can wait here.
        </Words>
      );
    case 'token':
      return (
        <Example of={tokenExample(of)}>
          Your server exchanges the client’s secret for an access token.
        </Example>
      );
    case 'endpoint':
      return (
        <Words link={to('notification-settings', 'Save the endpoint')}>
          It needs a public HTTPS address. Its signing secret is shown once; store it on your server.
        </Words>
      );
    case 'test_event':
    case 'verified':
      return (
        <>
          <Words>
            {step === 'test_event'
              ? 'Answer with 2xx after the signature is verified and the event is stored.'
              : 'Anybody can send a request to your endpoint. Send one with a wrong signature: your server must answer with 4xx.'}
          </Words>
          {mayWrite && <TestEventPanel merchant_no={merchant_no} />}
        </>
      );
    case 'order':
      return <Example of={orderExample(of)}>Send the buyer to the checkout_url of the answer.</Example>;
    case 'notification':
      return (
        <Words link={to('notification-settings', 'Check the endpoint')}>
          The order notifies your server of each change of its status, first of pending. Orders from before
          the endpoint was saved do not.
        </Words>
      );
  }
}

const Words = ({ children, link }: { children: ReactNode; link?: ReactNode }) => (
  <>
    <Text size="sm">{children}</Text>
    {link}
  </>
);

const Example = ({ children, of }: { children: ReactNode; of: string }) => (
  <>
    <Group gap={6}>
      <Text size="sm">{children}</Text>
      <CopyButton value={of} label="Copy the command" />
    </Group>
    <Code block tabIndex={0} role="region" aria-label="Command">
      {of}
    </Code>
  </>
);

const tokenExample = ({ token_endpoint, client_id }: Quickstart): string =>
  [
    `curl '${token_endpoint}'`,
    `-u "${client_id ?? '$CLIENT_ID'}:$CLIENT_SECRET"`,
    `-d 'grant_type=client_credentials'`,
  ].join(' \\\n  ');

const orderExample = ({ base_url }: Quickstart): string =>
  [
    `curl '${base_url}/openapi/v1/merchant-payments'`,
    `-H "Authorization: Bearer $ACCESS_TOKEN"`,
    `-H 'Content-Type: application/json'`,
    `-d '{"external_reference":"first-order","idempotency_key":"first-order","amount":"12.50","currency":"USD"}'`,
  ].join(' \\\n  ');
