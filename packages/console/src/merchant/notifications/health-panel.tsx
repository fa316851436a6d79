/** How the addresses for notifications do: last success, failures and time of the last 24 hours. */
import { Alert, Code, Group, Stack, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Fragment } from 'react';
import { answerOf, api, type components } from '../../api/client.ts';
import { AppLink } from '../../components/page/link.tsx';
import { Loaded } from '../../components/page/loaded.tsx';
import { Panel } from '../../components/page/panel.tsx';
import { answerWords } from '../../components/values/delivery.tsx';
import { Status } from '../../components/values/status.tsx';
import { Time } from '../../components/values/time.tsx';
import { textsOf } from '../../texts/texts.ts';

const t = textsOf('webhooks');

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
    <Panel title={t('endpoint_health')} about={t('the_default_endpoint_and_every_other')}>
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
  if (failures > 1) return ['failed', t('failing_failures_in_a_row', { failures })];
  if (failures === 1) return ['retrying', t('last_attempt_failed')];
  return last_success_at === null ? ['waiting', t('not_tried_yet')] : ['active', t('working')];
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
        {[
          of.failing_since === null
            ? null
            : answer === null
              ? t.rich('failing_since_time', { time: <Time at={of.failing_since} /> })
              : t.rich('failing_since_time_last_response_answer', {
                  time: <Time at={of.failing_since} />,
                  answer,
                }),
          of.last_success_at === null
            ? t('no_successful_delivery_yet')
            : t.rich('last_success_time', { time: <Time at={of.last_success_at} show="ago" /> }),
          of.attempts_24h === 0
            ? null
            : t('failed_of_count_attempts_failed_in', { failed: of.failures_24h, count: of.attempts_24h }),
          of.p95_ms === null ? null : t('p95_ms_ms', { ms: of.p95_ms }),
        ]
          .filter((fact) => fact !== null)
          .map((fact, index) => (
            <Fragment key={index}>
              {index > 0 && ' · '}
              {fact}
            </Fragment>
          ))}
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
      title={t('count_webhook_endpoints_are_failing', { count: receivers.length })}
    >
      <Stack gap={6}>
        {receivers.map((one) => (
          <Text key={one.endpoint} size="sm" component="div">
            <FailingEndpoint of={one} />
          </Text>
        ))}
        <AppLink
          to="/console/merchants/$merchant_no/notification-settings"
          params={{ merchant_no }}
          size="sm"
        >
          {t('check_endpoint')}
        </AppLink>
      </Stack>
    </Alert>
  );
}

function FailingEndpoint({ of }: { of: FailingReceiver }) {
  const answer = answerWords(of);
  const values = {
    endpoint: <Code className="wrap">{of.endpoint}</Code>,
    time: <Time at={of.failing_since} />,
    count: of.failures,
  };
  return answer === null
    ? t.rich('endpoint_since_time_count_failures_in', values)
    : t.rich('endpoint_since_time_count_failures_in_2', { ...values, answer });
}
