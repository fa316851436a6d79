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

export function AccountActions({ person }: { person: Person }) {
  const { data: user } = useQuery(sessionQuery);
  const { user_id, name, role, disabled } = person;
  const path = `/users/${part(user_id)}`;
  // The service enforces this as well.
  if (user?.role !== 'admin') return null;
  return (
    <Group gap="xs">
      <ActionButton
        label="Change"
        icon={<IconUserEdit size={16} />}
        title={`Change ${name}`}
        confirm="Save"
        fields={[
          { name: 'name', label: 'Name', required: true, initial: name },
          roleField(role),
          reasonField,
        ]}
        consequences={(values) =>
          roleIn(values) === role ? [] : ['The new role counts at once, in open sessions too.']
        }
        submit={(values) =>
          adminCall<Person>('PATCH', path, {
            body: {
              name: textOf(values, 'name'),
              role: roleIn(values),
              reason: textOf(values, 'reason'),
            },
          })
        }
        done={() => 'Saved.'}
      />
      <ActionButton
        label={disabled ? 'Enable' : 'Disable'}
        icon={<IconUserOff size={16} />}
        title={disabled ? `Enable ${name}` : `Disable ${name}`}
        confirm={disabled ? 'Enable' : 'Disable'}
        danger={!disabled}
        fields={[reasonField]}
        consequences={() =>
          disabled
            ? ['The person can sign in again.']
            : [
                'The person is signed out everywhere, at once, and cannot sign in.',
                'Apps that act for the person lose their tokens.',
                'What the person has asked others to approve is rejected; invitations by the person end.',
              ]
        }
        submit={(values) =>
          adminCall<Person>('PATCH', path, {
            body: { disabled: !disabled, reason: textOf(values, 'reason') },
          })
        }
        done={() => (disabled ? 'Enabled.' : 'Disabled.')}
      />
      <ActionButton
        label="Sign out everywhere"
        icon={<IconLogout size={16} />}
        title={`Sign ${name} out everywhere`}
        confirm="Sign out"
        consequences={() => ['Every session of the person ends at once. The person can sign in again.']}
        submit={() => adminCall<{ ended: number }>('DELETE', `${path}/sessions`)}
        done={({ ended }) => `Sessions ended: ${ended}.`}
      />
      <ActionButton
        label="Remove second factors"
        icon={<IconDeviceMobileOff size={16} />}
        title={`Remove the second factors of ${name}`}
        confirm="Remove"
        danger
        consequences={() => [
          'The authenticator app, the passkeys and the recovery codes of the person stop working.',
          'The password alone then signs in. Make sure that it is the person who asks.',
        ]}
        submit={() => adminCall<{ removed: number }>('DELETE', `${path}/factors`)}
        done={({ removed }) => `Removed: ${removed}.`}
      />
    </Group>
  );
}
