/**
 * The default address for notifications, the key that signs them, shown once, and how to check a
 * signature.
 */
import { Code, Group, Stack, Text } from '@mantine/core';
import { IconKey } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { answerOf, api } from '../../api/client.ts';
import { ActionButton } from '../../components/dialog/action-dialog.tsx';
import { Loaded } from '../../components/page/loaded.tsx';
import { Page } from '../../components/page/page.tsx';
import { Panel } from '../../components/page/panel.tsx';
import { Facts } from '../../components/values/facts.tsx';
import { Status } from '../../components/values/status.tsx';
import { useMayWrite, useMerchantNo } from '../merchant-no.ts';
import { EndpointButton, type EndpointSettings, SigningSecret } from './endpoint-button.tsx';
import { HealthPanel } from './health-panel.tsx';
import { TestEventPanel } from './test-event.tsx';
import { textsOf, verbatim } from '../../texts/texts.ts';

const t = textsOf('webhooks');

export function NotificationSettingsScreen() {
  const merchant_no = useMerchantNo();
  const mayWrite = useMayWrite('notifications');
  const params = { path: { merchant_no } };
  const settings = useQuery({
    queryKey: ['merchant', merchant_no, 'notification-settings'],
    queryFn: ({ signal }) =>
      answerOf(api.GET('/console/v1/merchants/{merchant_no}/notification-settings', { params, signal })),
  });
  return (
    <Page title={t('webhooks_2')} about={t('collection_status_notifications_your_server')}>
      <Panel
        title={t('default_endpoint')}
        about={t('orders_keep_the_endpoint_and_the')}
        actions={
          settings.data !== undefined &&
          mayWrite && <Actions merchant_no={merchant_no} settings={settings.data} />
        }
      >
        <Loaded of={settings} lines={2}>
          {({ url, enabled }) => (
            <Facts
              of={[
                [t('endpoint'), url === '' ? t('no_endpoint_yet') : <Code className="wrap">{url}</Code>],
                [
                  t('used_for_new_orders'),
                  <Status
                    key="enabled"
                    value={enabled ? 'enabled' : 'disabled'}
                    label={enabled ? t('yes') : t('no')}
                  />,
                ],
              ]}
            />
          )}
        </Loaded>
      </Panel>
      <HealthPanel merchant_no={merchant_no} />
      {mayWrite && settings.data !== undefined && settings.data.url !== '' && (
        <TestEventPanel merchant_no={merchant_no} />
      )}
      <SignatureHelp />
    </Page>
  );
}

function Actions({ merchant_no, settings }: { merchant_no: string; settings: EndpointSettings }) {
  const params = { path: { merchant_no } };
  const refresh = ['merchant', merchant_no, 'notification-settings'];
  return (
    <>
      <EndpointButton merchant_no={merchant_no} settings={settings} label={t('edit')} />
      {settings.url !== '' && (
        <ActionButton
          label={t('rotate_signing_secret')}
          icon={<IconKey size={16} />}
          title={t('rotate_signing_secret')}
          confirm={t('rotate')}
          refresh={refresh}
          consequences={() => [
            t('orders_created_from_now_on_are'),
            t('existing_orders_keep_theirs_accept_both'),
          ]}
          submit={() =>
            answerOf(
              api.POST('/console/v1/merchants/{merchant_no}/notification-settings/rotation', { params }),
            )
          }
          result={({ secret }) => <SigningSecret value={secret} />}
        />
      )}
    </>
  );
}

/** `examples/notifications/node/verify.js`, word by word (D-1140). */
const example = verbatim(`import { createHmac, timingSafeEqual } from 'node:crypto';

/** Returns the notification in a request, or null if Paydesk did not send it. \`body\`: the raw bytes, as a Buffer. */
export function verify(headers, body, secrets, now = Date.now() / 1000) {
  const timestamp = headers['x-service-timestamp'] ?? '';
  if (!/^[0-9]{1,12}$/.test(timestamp) || Math.abs(now - Number(timestamp)) > 300) return null;
  const given = Buffer.from(headers['x-service-signature'] ?? '');
  const signed = secrets.some((secret) => {
    if (secret === '') return false; // anyone can sign with it
    const hmac = createHmac('sha256', secret).update(\`\${timestamp}.\`).update(body);
    const expected = Buffer.from(\`sha256=\${hmac.digest('hex')}\`);
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
  if (!signed) return null;
  const notification = JSON.parse(body.toString('utf8'));
  return notification.id === headers['x-service-event-id'] ? notification : null;
}`);

function SignatureHelp() {
  return (
    <Panel title={t('verify_the_signature')} about={t('a_valid_signature_proves_that_the')}>
      <Stack gap="sm">
        <Text size="sm">{t('the_signature_covers_the_timestamp_a')}</Text>
        <Code block tabIndex={0} role="region" aria-label={t('example_in_javascript')}>
          {example}
        </Code>
        <Group>
          <Text size="sm" c="dimmed">
            {t.rich('the_package_code_does_this_for', { code: <Code>{t('paydesk_sdk')}</Code> })}
          </Text>
        </Group>
      </Stack>
    </Panel>
  );
}
