/** What an administrator does with another person's account: role, disabling, sessions, second factors. */
import { Group } from '@mantine/core';
import { IconDeviceMobileOff, IconLogout, IconUserEdit, IconUserOff } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { adminCall, type Person } from '../../api/admin.ts';
import { part } from '../../api/call.ts';
import { sessionQuery } from '../../api/session.ts';
import { ActionButton } from '../../components/dialog/action-dialog.tsx';
import { reasonField, textOf } from '../../components/dialog/fields.ts';
import { roleField, roleIn } from './roles.ts';
import { textsOf } from '../../texts/texts.ts';

const t = textsOf('platform-merchants');

export function AccountActions({ person }: { person: Person }) {
  const { data: user } = useQuery(sessionQuery);
  const { user_id, name, role, disabled } = person;
  const path = `/users/${part(user_id)}`;
  // The service enforces this as well.
  if (user?.role !== 'admin') return null;
  return (
    <Group gap="xs">
      <ActionButton
        label={t('edit')}
        icon={<IconUserEdit size={16} />}
        title={t('change_name', { name })}
        confirm={t('save')}
        fields={[
          { name: 'name', label: t('name'), required: true, initial: name },
          roleField(role),
          reasonField,
        ]}
        consequences={(values) => (roleIn(values) === role ? [] : [t('the_new_role_takes_effect_at')])}
        submit={(values) =>
          adminCall<Person>('PATCH', path, {
            body: {
              name: textOf(values, 'name'),
              role: roleIn(values),
              reason: textOf(values, 'reason'),
            },
          })
        }
        done={() => t('saved')}
      />
      <ActionButton
        label={disabled ? t('enable') : t('disable')}
        icon={<IconUserOff size={16} />}
        title={disabled ? t('enable_name', { name }) : t('disable_name', { name })}
        confirm={disabled ? t('enable') : t('disable')}
        danger={!disabled}
        fields={[reasonField]}
        consequences={() =>
          disabled
            ? [t('this_person_can_sign_in_again')]
            : [
                t('this_person_is_signed_out_everywhere'),
                t('apps_authorized_by_this_person_lose'),
                t('approval_requests_by_this_person_are'),
              ]
        }
        submit={(values) =>
          adminCall<Person>('PATCH', path, {
            body: { disabled: !disabled, reason: textOf(values, 'reason') },
          })
        }
        done={() => (disabled ? t('person_enabled') : t('person_disabled'))}
      />
      <ActionButton
        label={t('sign_out_everywhere')}
        icon={<IconLogout size={16} />}
        title={t('sign_name_out_everywhere', { name })}
        confirm={t('sign_out')}
        consequences={() => [t('all_sessions_end_at_once_the')]}
        submit={() => adminCall<{ ended: number }>('DELETE', `${path}/sessions`)}
        done={({ ended }) => t('sessions_ended_ended', { ended })}
      />
      <ActionButton
        label={t('reset_two_factor_authentication')}
        icon={<IconDeviceMobileOff size={16} />}
        title={t('reset_two_factor_authentication_of_name', { name })}
        confirm={t('reset')}
        danger
        consequences={() => [
          t('the_authenticator_app_passkeys_and_recovery'),
          t('the_password_alone_is_then_enough'),
        ]}
        submit={() => adminCall<{ removed: number }>('DELETE', `${path}/factors`)}
        done={({ removed }) => t('removed_removed', { removed })}
      />
    </Group>
  );
}
