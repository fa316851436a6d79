import { Group } from '@mantine/core';
import { IconPencil, IconPlus } from '@tabler/icons-react';
import { adminCall, type Client, useAdminList } from '../../api/admin.ts';
import { part } from '../../api/call.ts';
import { PlatformAction } from '../allowed.tsx';
import { isOn, listOf, rangesField, reasonField, textOf } from '../../components/dialog/fields.ts';
import { type Column, DataTable } from '../../components/list/data-table.tsx';
import { Scopes } from '../../components/merchant/scopes.tsx';
import { Empty } from '../../components/page/loaded.tsx';
import { Page } from '../../components/page/page.tsx';
import { Identifier } from '../../components/values/copy-button.tsx';
import { SecretOnce } from '../../components/values/secret-once.tsx';
import { Status } from '../../components/values/status.tsx';
import { merchantFinder, useMerchantName } from '../lookups.ts';
import { textsOf } from '../../texts/texts.ts';

const t = textsOf('platform-merchants');

/** The screen of every program that may call the interface. */
export function ClientsScreen() {
  const list = useAdminList<Client>('/clients');
  const nameOf = useMerchantName();
  const columns: Column<Client>[] = [
    { header: t('api_key'), wide: true, cell: ({ name }) => <strong className="wrap">{name}</strong> },
    {
      header: t('merchant'),
      cell: ({ merchant_no }) => (merchant_no === null ? t('none') : nameOf(merchant_no)),
    },
    { header: t('status_2'), cell: ({ disabled }) => <Status value={disabled ? 'disabled' : 'enabled'} /> },
    { header: t('type'), cell: ({ type }) => (type === 'public' ? t('public') : t('confidential')) },
    { header: t('scopes'), wide: true, cell: ({ scopes }) => <Scopes of={scopes} /> },
    {
      header: t('id_of_the_client'),
      cell: ({ client_id }) => <Identifier value={client_id} name={t('client_id')} />,
    },
    { header: t('actions'), cell: (client) => <Edit client={client} /> },
  ];
  return (
    <Page title={t('api_keys')} about={t('api_keys_of_merchants_servers_and')} actions={<NewClient />}>
      <DataTable
        name={t('api_keys')}
        columns={columns}
        rows={list.rows}
        list={list}
        rowKey={({ client_id }) => client_id}
        empty={<Empty title={t('no_api_keys_yet')}>{t('merchants_create_api_keys')}</Empty>}
      />
    </Page>
  );
}

function Edit({ client }: { client: Client }) {
  return (
    <Group gap={6} wrap="nowrap">
      <PlatformAction
        allows="administer"
        label={t('scopes')}
        size="xs"
        icon={<IconPencil size={14} />}
        title={t('scopes_of_name', { name: client.name })}
        confirm={t('save')}
        fields={[
          {
            name: 'scopes',
            label: t('scopes'),
            kind: 'tags',
            initial: client.scopes,
            about: t('press_enter_after_each'),
          },
          reasonField,
        ]}
        consequences={() => [t('existing_tokens_lose_the_removed_scopes')]}
        submit={(values) =>
          adminCall<Client>('PUT', `/clients/${part(client.client_id)}/scopes`, {
            body: { scopes: listOf(values, 'scopes'), reason: textOf(values, 'reason') },
          })
        }
        done={() => t('saved')}
      />
      <PlatformAction
        allows="administer"
        label={t('edit')}
        size="xs"
        icon={<IconPencil size={14} />}
        title={t('edit_name', { name: client.name })}
        confirm={t('save')}
        fields={[
          { name: 'name', label: t('name'), required: true, initial: client.name },
          {
            name: 'redirect_uris',
            label: t('redirect_uris'),
            kind: 'tags',
            initial: client.redirect_uris,
          },
          rangesField(client.allowed_cidrs),
          {
            name: 'disabled',
            label: t('disabled_its_tokens_are_revoked'),
            kind: 'switch',
            initial: client.disabled,
          },
          reasonField,
        ]}
        submit={(values) =>
          adminCall<Client>('PATCH', `/clients/${part(client.client_id)}`, {
            body: {
              name: textOf(values, 'name'),
              redirect_uris: listOf(values, 'redirect_uris'),
              allowed_cidrs: listOf(values, 'allowed_cidrs'),
              disabled: isOn(values, 'disabled'),
              reason: textOf(values, 'reason'),
            },
          })
        }
        done={() => t('saved')}
      />
      {client.type === 'public' && <MakeConfidential client={client} />}
    </Group>
  );
}

/**
 * Makes a public client confidential, for good: only a client that keeps a secret may have scopes of collection
 * orders.
 */
const MakeConfidential = ({ client }: { client: Client }) => (
  <PlatformAction
    allows="administer"
    label={t('make_confidential')}
    size="xs"
    title={t('make_name_confidential', { name: client.name })}
    confirm={t('make_confidential')}
    fields={[reasonField]}
    consequences={() => [t('it_gets_a_secret_shown_once'), t('it_cannot_become_public_again')]}
    submit={(values) =>
      adminCall<Client>('PATCH', `/clients/${part(client.client_id)}`, {
        body: { type: 'confidential', reason: textOf(values, 'reason') },
      })
    }
    result={({ client_secret }) =>
      client_secret === undefined ? null : <SecretOnce name={t('client_secret')} value={client_secret} />
    }
  />
);

function NewClient() {
  return (
    <PlatformAction
      allows="administer"
      label={t('new_api_key')}
      variant="filled"
      icon={<IconPlus size={16} />}
      title={t('new_api_key')}
      confirm={t('create')}
      fields={[
        { name: 'name', label: t('name'), required: true },
        {
          name: 'merchant_no',
          label: t('merchant'),
          about: t('leave_empty_for_none'),
          kind: 'choice',
          finder: merchantFinder,
        },
        {
          name: 'type',
          label: t('type'),
          kind: 'choice',
          required: true,
          initial: 'confidential',
          choices: [
            { value: 'confidential', label: t('confidential_a_server_that_keeps_a') },
            { value: 'public', label: t('public_an_app_that_cannot_keep') },
          ],
        },
        { name: 'scopes', label: t('scopes'), kind: 'tags', about: t('press_enter_after_each') },
        { name: 'redirect_uris', label: t('redirect_uris'), kind: 'tags' },
        rangesField([]),
      ]}
      submit={(values) =>
        adminCall<Client>('POST', '/clients', {
          body: {
            name: textOf(values, 'name'),
            merchant_no: textOf(values, 'merchant_no') === '' ? null : textOf(values, 'merchant_no'),
            type: textOf(values, 'type'),
            scopes: listOf(values, 'scopes'),
            redirect_uris: listOf(values, 'redirect_uris'),
            allowed_cidrs: listOf(values, 'allowed_cidrs'),
          },
        })
      }
      result={({ client_id, client_secret }) => (
        <>
          <Identifier value={client_id} name={t('client_id')} />
          {client_secret !== undefined && <SecretOnce name={t('client_secret')} value={client_secret} />}
        </>
      )}
    />
  );
}
