/** The people who work for the merchant, with their roles. */
import { Group } from '@mantine/core';
import { IconTrash, IconUserPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { answerOf, api, type components } from '../../api/client.ts';
import type { Role } from '../../api/merchants.ts';
import { pageSettings } from '../../api/page-settings.ts';
import { ActionButton } from '../../components/dialog/action-dialog.tsx';
import { type Field, textOf } from '../../components/dialog/fields.ts';
import { type Column, DataTable } from '../../components/list/data-table.tsx';
import { Empty, Loaded } from '../../components/page/loaded.tsx';
import { Panel } from '../../components/page/panel.tsx';
import { Status, words } from '../../components/values/status.tsx';
import { Time } from '../../components/values/time.tsx';
import { useMayWrite } from '../merchant-no.ts';
import { dutiesOf, type Duty, RoleMatrix } from './role-matrix.tsx';
import { textsOf } from '../../texts/texts.ts';

const t = textsOf('team');

type Member = components['schemas']['MerchantMember'];
type Invitation = components['schemas']['MemberInvitation'];

const roles: readonly (readonly [Role, string])[] = [
  ['owner', t('owner_everything_including_the_team')],
  ['finance', t('finance_orders_and_money')],
  ['developer', t('developer_api_keys_webhooks_and_products')],
  ['read-only', t('read_only_views_and_exports_everything')],
];

const roleField = (initial: Role): Field => ({
  name: 'role',
  label: t('role'),
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
    { header: t('name'), wide: true, cell: ({ name }) => <strong className="wrap">{name}</strong> },
    { header: t('email'), cell: ({ email }) => <span className="wrap">{email}</span> },
    { header: t('role'), cell: ({ role, holder }) => (holder ? t('owner_account_holder') : words(role)) },
    { header: t('since'), cell: ({ added_at }) => <Time at={added_at} show="day" /> },
    { header: t('last_sign_in'), cell: ({ last_sign_in_at }) => <Time at={last_sign_in_at} show="ago" /> },
    {
      header: t('two_factor_authentication'),
      cell: ({ second_factor }) => (
        <Status value={second_factor ? 'enabled' : 'held'} label={second_factor ? undefined : t('off')} />
      ),
    },
    ...(mayWrite
      ? [
          {
            header: t('actions'),
            cell: (one: Member) => <MemberActions member={one} merchant_no={merchant_no} />,
          },
        ]
      : []),
  ];
  return (
    <Panel
      title={t('team')}
      about={t('each_team_member_signs_in_with')}
      actions={mayWrite && <Invite merchant_no={merchant_no} duties={people.data?.duties ?? []} />}
    >
      <Loaded of={people}>
        {({ items, invitations, duties }) => (
          <>
            <DataTable
              name={t('team')}
              columns={columns}
              rows={items}
              rowKey={({ user_id }) => user_id}
              empty={<Empty title={t('no_team_members_yet')} />}
            />
            {invitations.length > 0 && (
              <DataTable
                name={t('invitations')}
                columns={invitationColumns(merchant_no, mayWrite)}
                rows={invitations}
                rowKey={({ invitation_id }) => invitation_id}
                empty={<Empty title={t('no_open_invitations')} />}
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
    label={t('invite_team_member')}
    icon={<IconUserPlus size={16} />}
    title={t('invite_team_member')}
    confirm={t('invite')}
    refresh={['merchant', merchant_no, 'people']}
    fields={[
      {
        name: 'email',
        label: t('email'),
        kind: 'email',
        // Without mail, a person with an account is added at once, and nobody else gets a link (D-1458).
        about: t(pageSettings.mail ? 'we_email_an_invitation_link_it' : 'this_service_sends_no_mail'),
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
    done={({ email }) =>
      t(pageSettings.mail ? 'invitation_sent_to_email' : 'saved_without_a_mail', { email })
    }
  />
);

function MemberActions({ member, merchant_no }: { member: Member; merchant_no: string }) {
  if (member.holder) return <>–</>;
  const params = { path: { merchant_no, user_id: member.user_id } };
  const refresh = ['merchant', merchant_no, 'people'];
  return (
    <Group gap={6} wrap="nowrap">
      <ActionButton
        label={t('role')}
        size="xs"
        title={t('role_of_name', { name: member.name })}
        confirm={t('save')}
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
        done={() => t('saved')}
      />
      <ActionButton
        label={t('remove')}
        size="xs"
        color="red"
        icon={<IconTrash size={14} />}
        title={t('remove_name', { name: member.name })}
        confirm={t('remove')}
        danger
        refresh={refresh}
        consequences={() => [t('name_loses_access_to_this_merchant', { name: member.name })]}
        submit={() =>
          answerOf(api.DELETE('/console/v1/merchants/{merchant_no}/people/{user_id}', { params }))
        }
        done={() => t('removed')}
      />
    </Group>
  );
}

const invitationColumns = (merchant_no: string, mayWrite: boolean): Column<Invitation>[] => [
  { header: t('invited'), wide: true, cell: ({ email }) => <strong className="wrap">{email}</strong> },
  { header: t('role'), cell: ({ role }) => words(role) },
  { header: t('expires'), cell: ({ expires_at }) => <Time at={expires_at} show="day" /> },
  ...(mayWrite
    ? [
        {
          header: t('actions'),
          cell: ({ invitation_id, email }: Invitation) => (
            <ActionButton
              label={t('withdraw')}
              size="xs"
              color="red"
              icon={<IconTrash size={14} />}
              title={t('withdraw_the_invitation_for_email', { email })}
              confirm={t('withdraw')}
              danger
              refresh={['merchant', merchant_no, 'people']}
              submit={() =>
                answerOf(
                  api.DELETE('/console/v1/merchants/{merchant_no}/people/invitations/{invitation_id}', {
                    params: { path: { merchant_no, invitation_id } },
                  }),
                )
              }
              done={() => t('withdrawn')}
            />
          ),
        },
      ]
    : []),
];
