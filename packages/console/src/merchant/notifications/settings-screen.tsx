/**
 * The default address for notifications, the key that signs them, shown once, and how to check a
 * signature.
 */
import { Code, Group, Stack, Text } from '@mantine/core';
import { IconKey, IconPencil } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { answerOf, api, type components } from '../../api/client.ts';
import { ActionButton } from '../../components/dialog/action-dialog.tsx';
import { isOn, textOf } from '../../components/dialog/fields.ts';
import { Loaded } from '../../components/page/loaded.tsx';
import { Page } from '../../components/page/page.tsx';
import { Panel } from '../../components/page/panel.tsx';
import { Facts } from '../../components/values/facts.tsx';
import { SecretOnce } from '../../components/values/secret-once.tsx';
import { Status } from '../../components/values/status.tsx';
import { useMayWrite, useMerchantNo } from '../merchant-no.ts';
import { HealthPanel } from './health-panel.tsx';
import { TestEventPanel } from './test-event.tsx';

type Settings = components['schemas']['NotificationSettings'];

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
    <Page
      title="Collection status notifications"
      about="Your server is told of every change of an order’s status. Orders may name an address of their own; this one is for those that do not."
    >
      <Panel
        title="Default endpoint"
        about="Orders keep the address and the key that they were created with."
        actions={
          settings.data !== undefined &&
          mayWrite && <Actions merchant_no={merchant_no} settings={settings.data} />
        }
      >
        <Loaded of={settings} lines={2}>
          {({ url, enabled }) => (
            <Facts
              of={[
                ['Address', url === '' ? 'None yet' : <Code className="wrap">{url}</Code>],
                [
                  'New orders use it',
                  <Status
                    key="enabled"
                    value={enabled ? 'enabled' : 'disabled'}
                    label={enabled ? 'Yes' : 'No'}
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

function Actions({ merchant_no, settings }: { merchant_no: string; settings: Settings }) {
  const params = { path: { merchant_no } };
  const refresh = ['merchant', merchant_no, 'notification-settings'];
  return (
    <>
      <ActionButton
        label="Edit"
        icon={<IconPencil size={16} />}
        title="Default endpoint"
        confirm="Save"
        refresh={refresh}
        fields={[
          {
            name: 'url',
            label: 'Address',
            about: 'A public HTTPS address without credentials or fragment. Leave it empty to remove it.',
            placeholder: 'https://shop.example/paydesk/notifications',
            initial: settings.url,
          },
          { name: 'enabled', label: 'New orders use it', kind: 'switch', initial: settings.enabled },
        ]}
        consequences={(values) =>
          textOf(values, 'url') !== '' && textOf(values, 'url') !== settings.url
            ? [
                'A new address gets a new secret, which is shown once.',
                'Orders that exist keep the old address.',
              ]
            : []
        }
        submit={(values) =>
          answerOf(
            api.PUT('/console/v1/merchants/{merchant_no}/notification-settings', {
              params,
              body: { url: textOf(values, 'url'), enabled: isOn(values, 'enabled') },
            }),
          )
        }
        result={({ secret }) => (secret === undefined ? <Text>Saved.</Text> : <Secret value={secret} />)}
      />
      {settings.url !== '' && (
        <ActionButton
          label="Rotate the secret"
          icon={<IconKey size={16} />}
          title="Rotate the secret"
          confirm="Rotate"
          refresh={refresh}
          consequences={() => [
            'Orders created from now on are signed with the new secret.',
            'Orders that exist keep theirs: let your receiver accept both until they have come to rest.',
          ]}
          submit={() =>
            answerOf(
              api.POST('/console/v1/merchants/{merchant_no}/notification-settings/rotation', { params }),
            )
          }
          result={({ secret }) => <Secret value={secret} />}
        />
      )}
    </>
  );
}

const Secret = ({ value }: { value: string }) => <SecretOnce name="Notification secret" value={value} />;

const example = `import { createHmac, timingSafeEqual } from 'node:crypto';

/** body: the bytes as they came, before any parser */
function isGenuine(body, headers, secret) {
  const timestamp = headers['x-service-timestamp'];
  if (Math.abs(Date.now() / 1000 - Number(timestamp)) > 300) return false;
  const signed = createHmac('sha256', secret).update(\`\${timestamp}.\`).update(body).digest('hex');
  const sent = Buffer.from(headers['x-service-signature'] ?? '');
  const wanted = Buffer.from(\`sha256=\${signed}\`);
  return sent.length === wanted.length && timingSafeEqual(sent, wanted);
}`;

function SignatureHelp() {
  return (
    <Panel title="Check the signature" about="Only then is a notification from here, and as it was sent.">
      <Stack gap="sm">
        <Text size="sm">
          The signature covers the time stamp, a full stop, and the bytes of the body as they came. Answer
          with any status from 200 to 299 within eight seconds, and read the order before you deliver: a
          notification tells you to look, the order tells you what is so.
        </Text>
        <Code block tabIndex={0} role="region" aria-label="Example in JavaScript">
          {example}
        </Code>
        <Group>
          <Text size="sm" c="dimmed">
            The package <Code>@paydesk/sdk</Code> does all of this.
          </Text>
        </Group>
      </Stack>
    </Panel>
  );
}
