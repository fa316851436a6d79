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

type TestEvent = components['schemas']['TestEvent'];

export function TestEventPanel({ merchant_no }: { merchant_no: string }) {
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
    <Panel
      title="Test event"
      about="Sends one event to the default endpoint: data.test_mode is true, and its order does not exist."
    >
      <Stack gap="sm">
        <Group>
          <Button
            leftSection={<IconSend size={16} />}
            loading={send.isPending && !send.variables}
            disabled={send.isPending}
            onClick={() => send.mutate(false)}
          >
            Send a test event
          </Button>
          <Button
            variant="default"
            leftSection={<IconShieldCheck size={16} />}
            loading={send.isPending && send.variables}
            disabled={send.isPending}
            onClick={() => send.mutate(true)}
          >
            Send a wrong signature
          </Button>
        </Group>
        {send.isError && (
          <Alert color="red" role="alert" title="Not sent">
            {messageOf(send.error)}
          </Alert>
        )}
        {send.data !== undefined && <Sent of={send.data} />}
      </Stack>
    </Panel>
  );
}

/** What an answer to a test event says about the receiver. */
function verdictOf({ forged, delivered, response }: TestEvent): readonly [tone: string, text: string] {
  const { error, http_status, duration_ms } = response;
  const answer = answerWords({ last_error: error, last_http_status: http_status }) ?? '';
  if (forged && delivered) {
    return ['failed', 'Your server accepted a wrong signature. Check the signature before you answer 2xx.'];
  }
  if (forged && error === 'http_error') {
    return ['paid', `Your server refused the wrong signature with ${answer}. That is right.`];
  }
  return delivered
    ? ['paid', `Your server accepted the event with ${answer} in ${duration_ms} ms.`]
    : ['failed', `Your server did not accept the event: ${answer}.`];
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
        <Status value={tone} label={tone === 'paid' ? 'Passed' : 'Failed'} />
        <Text size="sm" className="wrap">
          {text}
        </Text>
      </Group>
      <Group justify="space-between">
        <Text size="sm" fw={600}>
          Request, as it was sent
        </Text>
        <CopyButton value={`${head}\n\n${body}`} label="Copy the request" />
      </Group>
      <Code block tabIndex={0} role="region" aria-label="Headers of the test event">
        {head}
      </Code>
      <Code
        block
        style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}
        tabIndex={0}
        role="region"
        aria-label="Body of the test event"
      >
        {body}
      </Code>
    </Stack>
  );
}
