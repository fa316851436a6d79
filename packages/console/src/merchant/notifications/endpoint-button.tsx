/** Saves the default address for notifications. The key that signs them is shown once. */
import { Text } from '@mantine/core';
import { IconPencil } from '@tabler/icons-react';
import { answerOf, api, type components } from '../../api/client.ts';
import { ActionButton } from '../../components/dialog/action-dialog.tsx';
import { isOn, textOf } from '../../components/dialog/fields.ts';
import { SecretOnce } from '../../components/values/secret-once.tsx';
import { textsOf, verbatim } from '../../texts/texts.ts';

const t = textsOf('webhooks');

export type EndpointSettings = components['schemas']['NotificationSettings'];

interface EndpointButtonProps {
  merchant_no: string;
  settings: EndpointSettings;
  label: string;
  variant?: string;
}

export const EndpointButton = ({ merchant_no, settings, label, variant }: EndpointButtonProps) => (
  <ActionButton
    label={label}
    variant={variant}
    icon={<IconPencil size={16} />}
    title={t('default_endpoint')}
    confirm={t('save')}
    refresh={['merchant', merchant_no, 'notification-settings']}
    fields={[
      {
        name: 'url',
        label: t('endpoint'),
        kind: 'url',
        about: t('a_public_https_address_without_credentials'),
        placeholder: verbatim('https://shop.example/paydesk/notifications'),
        initial: settings.url,
      },
      {
        name: 'enabled',
        label: t('used_for_new_orders'),
        kind: 'switch',
        // A person who saves the first endpoint wants to use it.
        initial: settings.enabled || settings.url === '',
      },
    ]}
    consequences={(values) =>
      textOf(values, 'url') !== '' && textOf(values, 'url') !== settings.url
        ? [t('a_new_endpoint_gets_a_new'), t('existing_orders_keep_the_old_endpoint')]
        : []
    }
    submit={(values) =>
      answerOf(
        api.PUT('/console/v1/merchants/{merchant_no}/notification-settings', {
          params: { path: { merchant_no } },
          body: { url: textOf(values, 'url'), enabled: isOn(values, 'enabled') },
        }),
      )
    }
    result={({ secret }) =>
      secret === undefined ? <Text>{t('saved')}</Text> : <SigningSecret value={secret} />
    }
  />
);

export const SigningSecret = ({ value }: { value: string }) => (
  <SecretOnce name={t('signing_secret')} value={value} />
);
