/** Sends a test event to the default endpoint, and shows the exact request and what came back. */
import { Alert, Button, Code, Group, Stack, Text } from '@mantine/core';
import { IconSend, IconShieldCheck } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { messageOf } from '../../api/api-error.ts';
import { answerOf, api, type components } from '../../api/client.ts';
import { Panel } from '../../components/page/panel.tsx';
import { CopyButton } from '../../components/values/copy-button.tsx';
import { answerWords } from '../../components/values/delivery.tsx';
import { Status } from '../../components/values/status.tsx';
import { textsOf } from '../../texts/texts.ts';

const t = textsOf('webhooks');

type TestEvent = components['schemas']['TestEvent'];

export const TestEventPanel = ({ merchant_no }: { merchant_no: string }) => (
  <Panel title={t('test_event')} about={t('sends_one_event_to_the_default')}>
    <TestEvents merchant_no={merchant_no} />
  </Panel>
);

/** The buttons that send an event, and what was sent. */
export function TestEvents({ merchant_no }: { merchant_no: string }) {
  const queries = useQueryClient();
  const send = useMutation({
    mutationFn: (forged: boolean) =>
      answerOf(
        api.POST('/console/v1/merchants/{merchant_no}/test-event', {
          params: { path: { merchant_no } },
          body: { forged },
        }),
      ),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['merchant', merchant_no, 'quickstart'] }),
  });
  return (
    <Stack gap="sm">
      <Group>
        <Button
          leftSection={<IconSend size={16} />}
          loading={send.isPending && !send.variables}
          disabled={send.isPending}
          onClick={() => send.mutate(false)}
        >
          {t('send_test_event')}
        </Button>
        <Button
          variant="default"
          leftSection={<IconShieldCheck size={16} />}
          loading={send.isPending && send.variables}
          disabled={send.isPending}
          onClick={() => send.mutate(true)}
        >
          {t('send_invalid_signature')}
        </Button>
      </Group>
      {send.isError && (
        <Alert color="red" role="alert" title={t('the_event_was_not_sent')}>
          {messageOf(send.error)}
        </Alert>
      )}
      {send.data !== undefined && <Sent of={send.data} />}
    </Stack>
  );
}

/** What an answer to a test event says about the receiver. */
function verdictOf({ forged, delivered, response }: TestEvent): readonly [tone: string, text: string] {
  const { error, http_status, duration_ms } = response;
  const answer = answerWords({ last_error: error, last_http_status: http_status }) ?? '';
  if (forged && delivered) {
    return ['failed', t('your_server_accepted_an_invalid_signature')];
  }
  if (forged && error === 'http_error') {
    return ['paid', t('your_server_rejected_the_invalid_signature', { answer })];
  }
  return delivered
    ? ['paid', t('your_server_accepted_the_event_with', { answer, duration_ms })]
    : ['failed', t('your_server_did_not_accept_the', { answer })];
}

function Sent({ of }: { of: TestEvent }) {
  const [tone, text] = verdictOf(of);
  const { method, url, headers, body } = of.request;
  const path = new URL(url);
  const head = [
    `${method} ${path.pathname}${path.search} HTTP/1.1`,
    ...headers.map(({ name, value }) => `${name}: ${value}`),
  ].join('\n');
  return (
    <Stack gap="xs" role="status">
      <Group gap="sm" wrap="nowrap" align="flex-start">
        <Status value={tone} label={tone === 'paid' ? t('passed') : t('failed')} />
        <Text size="sm" className="wrap">
          {text}
        </Text>
      </Group>
      <Group justify="space-between">
        <Text size="sm" fw={600}>
          {t('request_as_sent')}
        </Text>
        <CopyButton value={`${head}\n\n${body}`} label={t('copy_request')} />
      </Group>
      <Code block tabIndex={0} role="region" aria-label={t('headers_of_the_test_event')}>
        {head}
      </Code>
      <Code
        block
        style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}
        tabIndex={0}
        role="region"
        aria-label={t('body_of_the_test_event')}
      >
        {body}
      </Code>
    </Stack>
  );
}
