/** The people who work for the merchant, with their roles. */
import { Group } from '@mantine/core';
import { IconTrash, IconUserPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { answerOf, api, type components } from '../../api/client.ts';
import type { Role } from '../../api/merchants.ts';
import { ActionButton } from '../../components/dialog/action-dialog.tsx';
import { type Field, textOf } from '../../components/dialog/fields.ts';
import { type Column, DataTable } from '../../components/list/data-table.tsx';
import { Empty, Loaded } from '../../components/page/loaded.tsx';
import { Panel } from '../../components/page/panel.tsx';
import { Status, words } from '../../components/values/status.tsx';
import { Time } from '../../components/values/time.tsx';
import { useMayWrite } from '../merchant-no.ts';
import { dutiesOf, type Duty, RoleMatrix } from './role-matrix.tsx';

type Member = components['schemas']['MerchantMember'];
type Invitation = components['schemas']['MemberInvitation'];

const roles: readonly (readonly [Role, string])[] = [
  ['owner', 'Owner: everything, people included'],
  ['finance', 'Finance: orders and money'],
  ['developer', 'Developer: clients, notifications and products'],
  ['read-only', 'Read-only: reads and exports everything'],
];

const roleField = (initial: Role): Field => ({
  name: 'role',
  label: 'Role',
  kind: 'choice',
  required: true,
  initial,
  choices: roles.map(([value, label]) => ({ value, label })),
});

const roleIn = (text: string): Role => roles.find(([role]) => role === text)?.[0] ?? 'read-only';

export function PeoplePanel({ merchant_no }: { merchant_no: string }) {
  const mayWrite = useMayWrite('settings');
  const refresh = ['merchant', merchant_no, 'people'];
  const people = useQuery({
    queryKey: refresh,
    queryFn: ({ signal }) =>
      answerOf(
        api.GET('/console/v1/merchants/{merchant_no}/people', { params: { path: { merchant_no } }, signal }),
      ),
  });
  const columns: Column<Member>[] = [
    { header: 'Name', wide: true, cell: ({ name }) => <strong className="wrap">{name}</strong> },
    { header: 'E-mail', cell: ({ email }) => <span className="wrap">{email}</span> },
    { header: 'Role', cell: ({ role, holder }) => (holder ? 'Owner, holds the merchant' : words(role)) },
    { header: 'Since', cell: ({ added_at }) => <Time at={added_at} show="day" /> },
    { header: 'Last sign-in', cell: ({ last_sign_in_at }) => <Time at={last_sign_in_at} show="ago" /> },
    {
      header: 'Second factor',
      cell: ({ second_factor }) => (
        <Status value={second_factor ? 'enabled' : 'held'} label={second_factor ? 'On' : 'Off'} />
      ),
    },
    ...(mayWrite
      ? [
          {
            header: 'Change',
            cell: (one: Member) => <MemberActions member={one} merchant_no={merchant_no} />,
          },
        ]
      : []),
  ];
  return (
    <Panel
      title="Team"
      about="Everyone signs in with an account of their own. A change counts at once."
      actions={mayWrite && <Invite merchant_no={merchant_no} duties={people.data?.duties ?? []} />}
    >
      <Loaded of={people}>
        {({ items, invitations, duties }) => (
          <>
            <DataTable
              name="Team"
              columns={columns}
              rows={items}
              rowKey={({ user_id }) => user_id}
              empty={<Empty title="Nobody" />}
            />
            {invitations.length > 0 && (
              <DataTable
                name="Invitations"
                columns={invitationColumns(merchant_no, mayWrite)}
                rows={invitations}
                rowKey={({ invitation_id }) => invitation_id}
                empty={<Empty title="Nobody is invited" />}
              />
            )}
            <RoleMatrix duties={duties} />
          </>
        )}
      </Loaded>
    </Panel>
  );
}

const Invite = ({ merchant_no, duties }: { merchant_no: string; duties: readonly Duty[] }) => (
  <ActionButton
    label="Invite a person"
    icon={<IconUserPlus size={16} />}
    title="Invite a person"
    confirm="Invite"
    refresh={['merchant', merchant_no, 'people']}
    fields={[
      {
        name: 'email',
        label: 'E-mail',
        about: 'A link goes there. It works once, for seven days, in the account of this address.',
        required: true,
      },
      roleField('read-only'),
    ]}
    consequences={(values) => dutiesOf(roleIn(textOf(values, 'role')), duties)}
    submit={(values) =>
      answerOf(
        api.POST('/console/v1/merchants/{merchant_no}/people', {
          params: { path: { merchant_no } },
          body: { email: textOf(values, 'email'), role: roleIn(textOf(values, 'role')) },
        }),
      )
    }
    done={({ email }) => `${email} is invited.`}
  />
);

function MemberActions({ member, merchant_no }: { member: Member; merchant_no: string }) {
  if (member.holder) return <>–</>;
  const params = { path: { merchant_no, user_id: member.user_id } };
  const refresh = ['merchant', merchant_no, 'people'];
  return (
    <Group gap={6} wrap="nowrap">
      <ActionButton
        label="Role"
        size="xs"
        title={`Role of ${member.name}`}
        confirm="Save"
        refresh={refresh}
        fields={[roleField(member.role)]}
        submit={(values) =>
          answerOf(
            api.PATCH('/console/v1/merchants/{merchant_no}/people/{user_id}', {
              params,
              body: { role: roleIn(textOf(values, 'role')) },
            }),
          )
        }
        done={() => 'Saved.'}
      />
      <ActionButton
        label="Remove"
        size="xs"
        color="red"
        icon={<IconTrash size={14} />}
        title={`Remove ${member.name}`}
        confirm="Remove"
        danger
        refresh={refresh}
        consequences={() => [`${member.name} sees nothing of this merchant any more, at once.`]}
        submit={() =>
          answerOf(api.DELETE('/console/v1/merchants/{merchant_no}/people/{user_id}', { params }))
        }
        done={() => 'Removed.'}
      />
    </Group>
  );
}

const invitationColumns = (merchant_no: string, mayWrite: boolean): Column<Invitation>[] => [
  { header: 'Invited', wide: true, cell: ({ email }) => <strong className="wrap">{email}</strong> },
  { header: 'Role', cell: ({ role }) => words(role) },
  { header: 'Until', cell: ({ expires_at }) => <Time at={expires_at} show="day" /> },
  ...(mayWrite
    ? [
        {
          header: 'Change',
          cell: ({ invitation_id, email }: Invitation) => (
            <ActionButton
              label="Withdraw"
              size="xs"
              color="red"
              icon={<IconTrash size={14} />}
              title={`Withdraw the invitation of ${email}`}
              confirm="Withdraw"
              danger
              refresh={['merchant', merchant_no, 'people']}
              submit={() =>
                answerOf(
                  api.DELETE('/console/v1/merchants/{merchant_no}/people/invitations/{invitation_id}', {
                    params: { path: { merchant_no, invitation_id } },
                  }),
                )
              }
              done={() => 'Withdrawn.'}
            />
          ),
        },
      ]
    : []),
];
