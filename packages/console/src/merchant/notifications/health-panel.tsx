/** How the addresses for notifications do: last success, failures and time of the last 24 hours. */
import { Alert, Code, Group, Stack, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { answerOf, api, type components } from '../../api/client.ts';
import { AppLink } from '../../components/page/link.tsx';
import { Loaded } from '../../components/page/loaded.tsx';
import { Panel } from '../../components/page/panel.tsx';
import { answerWords } from '../../components/values/delivery.tsx';
import { Status } from '../../components/values/status.tsx';
import { Time } from '../../components/values/time.tsx';

type Receiver = components['schemas']['ReceiverHealth'];
type FailingReceiver = components['schemas']['FailingReceiver'];

export function HealthPanel({ merchant_no }: { merchant_no: string }) {
  const health = useQuery({
    queryKey: ['merchant', merchant_no, 'notification-health'],
    queryFn: ({ signal }) =>
      answerOf(
        api.GET('/console/v1/merchants/{merchant_no}/notification-health', {
          params: { path: { merchant_no } },
          signal,
        }),
      ),
    refetchInterval: 15_000,
  });
  if (health.data?.receivers.length === 0) return null;
  return (
    <Panel title="Health" about="Of the default address, and of every other address that fails now.">
      <Loaded of={health} lines={2}>
        {({ receivers }) => (
          <Stack gap="md">
            {receivers.map((one) => (
              <OneReceiver key={one.endpoint} of={one} />
            ))}
          </Stack>
        )}
      </Loaded>
    </Panel>
  );
}

/** One failure may be chance; two in a row are a receiver that fails. */
const stateOf = ({ failures, last_success_at }: Receiver): readonly [value: string, label: string] => {
  if (failures > 1) return ['failed', `Failing · ${failures} in a row`];
  if (failures === 1) return ['retrying', 'Last attempt failed'];
  return last_success_at === null ? ['waiting', 'Not tried yet'] : ['active', 'Working'];
};

function OneReceiver({ of }: { of: Receiver }) {
  const [value, label] = stateOf(of);
  const answer = answerWords(of);
  return (
    <Stack gap={4}>
      <Group gap="sm">
        <Status value={value} label={label} />
        <Code className="wrap">{of.endpoint}</Code>
      </Group>
      <Text size="sm" component="div" className="health">
        {of.failing_since !== null && (
          <>
            Fails since <Time at={of.failing_since} />
            {answer === null ? '' : `, last answer ${answer}`}
            {' · '}
          </>
        )}
        Last success {of.last_success_at === null ? 'none' : <Time at={of.last_success_at} show="ago" />}
        {' · '}
        {`${of.failures_24h} of ${of.attempts_24h} attempts failed in 24 h`}
        {' · '}
        {of.p95_ms === null ? 'p95 –' : `p95 ${of.p95_ms} ms`}
      </Text>
    </Stack>
  );
}

/** The banner of the home screen: which receiver fails, since when, and where to look. */
export function FailingBanner(props: { receivers: readonly FailingReceiver[]; merchant_no: string }) {
  const { receivers, merchant_no } = props;
  if (receivers.length === 0) return null;
  return (
    <Alert
      color="orange"
      icon={<IconAlertTriangle size={18} />}
      title={
        receivers.length === 1 ? 'A webhook endpoint fails' : `${receivers.length} webhook endpoints fail`
      }
    >
      <Stack gap={6}>
        {receivers.map((one) => (
          <Text key={one.endpoint} size="sm" component="div">
            <Code className="wrap">{one.endpoint}</Code> since <Time at={one.failing_since} />
            {`: ${one.failures} failures in a row`}
            {answerWords(one) === null ? '' : `, last answer ${answerWords(one) ?? ''}`}
          </Text>
        ))}
        <AppLink
          to="/console/merchants/$merchant_no/notification-settings"
          params={{ merchant_no }}
          size="sm"
        >
          Check the endpoint
        </AppLink>
      </Stack>
    </Alert>
  );
}
