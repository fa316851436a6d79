/** The way from a client to the first verified notification. Each step is noticed as it happens (D-513). */
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
import { useCurrencies } from '../currencies.ts';
import { useMayWrite, useMerchantNo } from '../merchant-no.ts';
import { EndpointButton } from '../notifications/endpoint-button.tsx';
import { TestEvents } from '../notifications/test-event.tsx';
import { NewClient } from './client-actions.tsx';
import { exampleOf, orderCommand, tokenCommand } from './curl.ts';
import { textsOf } from '../../texts/texts.ts';

const t = textsOf('developers');

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
      title={t('quickstart')}
      about={t('from_an_api_key_to_the')}
      above={
        <AppLink to="/console/merchants/$merchant_no/developers" params={{ merchant_no }}>
          {t('developers')}
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
  client: t('create_an_api_key'),
  scopes: t('get_its_scopes_approved'),
  token: t('get_an_access_token'),
  endpoint: t('save_your_webhook_endpoint'),
  test_event: t('accept_a_test_event'),
  verified: t('reject_an_invalid_signature'),
  order: t('create_your_first_order'),
  notification: t('receive_its_first_webhook'),
};

function Steps({ of, merchant_no }: { of: Quickstart; merchant_no: string }) {
  const next = of.steps.find(({ done }) => !done)?.step ?? null;
  return (
    <Panel title={next === null ? t('done') : t('next_value', { value: titles[next] })}>
      {next === null && (
        <Alert color="teal" icon={<IconCheck size={18} />} mb="md">
          {t('your_server_creates_orders_and_receives')}
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
                {done ? ` (${t('done')})` : ''}
              </Title>
              {!done && <Help step={step} of={of} merchant_no={merchant_no} />}
              <StepAction step={step} isNext={step === next} merchant_no={merchant_no} />
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

/**
 * The dialog of a step. It stays when the step is done: the dialog may still show the secret that is seen once, and what
 * was mistyped can be set again.
 */
function StepAction({ step, isNext, merchant_no }: { step: Step; isNext: boolean; merchant_no: string }) {
  const mayCreate = useMayWrite('clients');
  const mayWrite = useMayWrite('notifications');
  const variant = isNext ? 'filled' : 'default';
  const needsEndpoint = mayWrite && (step === 'endpoint' || step === 'test_event');
  const settings = useQuery({
    queryKey: ['merchant', merchant_no, 'notification-settings'],
    queryFn: ({ signal }) =>
      answerOf(
        api.GET('/console/v1/merchants/{merchant_no}/notification-settings', {
          params: { path: { merchant_no } },
          signal,
        }),
      ),
    enabled: needsEndpoint,
  });
  if (step === 'client' && mayCreate) {
    return (
      <Group>
        <NewClient merchant_no={merchant_no} variant={variant} />
      </Group>
    );
  }
  if (!needsEndpoint || settings.data === undefined) return null;
  if (step === 'test_event') {
    return settings.data.url === '' ? null : <TestEvents merchant_no={merchant_no} />;
  }
  return (
    <Group>
      <EndpointButton
        merchant_no={merchant_no}
        settings={settings.data}
        label={t('set_endpoint')}
        variant={variant}
      />
    </Group>
  );
}

/** What to do for a step that is open. All open steps show it: scopes may wait for the platform for days. */
function Help({ step, of, merchant_no }: HelpProps) {
  const { currencies } = useCurrencies(merchant_no);
  const to = (where: 'developers' | 'notification-settings', words: string) => (
    <AppLink to={`/console/merchants/$merchant_no/${where}`} params={{ merchant_no }} size="sm">
      {words}
    </AppLink>
  );
  switch (step) {
    case 'client':
      return <Words>{t('your_server_authenticates_with_it_keep')}</Words>;
    case 'scopes':
      return (
        <Words link={to('developers', t('view_the_request'))}>
          {t('the_platform_approves_the_scopes_of')}
        </Words>
      );
    case 'token':
      return (
        <Example name={titles[step]} of={tokenCommand(of.token_endpoint, of.client_id)}>
          {t('your_server_exchanges_the_client_secret')}
        </Example>
      );
    case 'endpoint':
      return (
        <Words link={to('notification-settings', t('how_to_verify_a_signature'))}>
          {t('it_needs_a_public_https_address')}
        </Words>
      );
    case 'test_event':
    case 'verified':
      return (
        <Words>
          {step === 'test_event'
            ? t('answer_with_2xx_once_the_signature')
            : t('anyone_can_send_a_request_to')}
        </Words>
      );
    case 'order':
      return (
        <Example name={titles[step]} of={orderCommand(of.base_url, exampleOf(currencies))}>
          {t('send_the_buyer_to_the_checkout')}
        </Example>
      );
    case 'notification':
      return (
        <Words link={to('notification-settings', t('check_endpoint'))}>
          {t('the_order_sends_a_webhook_for')}
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

/** @param name names the command among those of the other steps */
const Example = ({ children, name, of }: { children: ReactNode; name: string; of: string }) => (
  <>
    <Group gap={6}>
      <Text size="sm">{children}</Text>
      <CopyButton value={of} label={t('copy_command')} />
    </Group>
    <Code block tabIndex={0} role="region" aria-label={name}>
      {of}
    </Code>
  </>
);
