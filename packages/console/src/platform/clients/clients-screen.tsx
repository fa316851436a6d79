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

/** The screen of every program that may call the interface. */
export function ClientsScreen() {
  const list = useAdminList<Client>('/clients');
  const nameOf = useMerchantName();
  const columns: Column<Client>[] = [
    { header: 'Client', wide: true, cell: ({ name }) => <strong className="wrap">{name}</strong> },
    { header: 'Merchant', cell: ({ merchant_no }) => (merchant_no === null ? 'None' : nameOf(merchant_no)) },
    { header: 'State', cell: ({ disabled }) => <Status value={disabled ? 'disabled' : 'enabled'} /> },
    { header: 'Kind', cell: ({ type }) => (type === 'public' ? 'Public' : 'Confidential') },
    { header: 'Scopes', wide: true, cell: ({ scopes }) => <Scopes of={scopes} /> },
    { header: 'Number', cell: ({ client_id }) => <Identifier value={client_id} name="client number" /> },
    { header: 'Change', cell: (client) => <Edit client={client} /> },
  ];
  return (
    <Page
      title="Clients"
      about="The programs that call the interface: what each may do is approved here."
      actions={<NewClient />}
    >
      <DataTable
        name="Clients"
        columns={columns}
        rows={list.rows}
        list={list}
        rowKey={({ client_id }) => client_id}
        empty={<Empty title="No clients yet" />}
      />
    </Page>
  );
}

function Edit({ client }: { client: Client }) {
  return (
    <Group gap={6} wrap="nowrap">
      <PlatformAction
        allows="administer"
        label="Scopes"
        size="xs"
        icon={<IconPencil size={14} />}
        title={`Scopes of ${client.name}`}
        confirm="Save"
        fields={[
          {
            name: 'scopes',
            label: 'Scopes',
            kind: 'tags',
            initial: client.scopes,
            about: 'Press Enter after each.',
          },
          reasonField,
        ]}
        consequences={() => ['Tokens that exist lose what is taken away, at once.']}
        submit={(values) =>
          adminCall<Client>('PUT', `/clients/${part(client.client_id)}/scopes`, {
            body: { scopes: listOf(values, 'scopes'), reason: textOf(values, 'reason') },
          })
        }
        done={() => 'Saved.'}
      />
      <PlatformAction
        allows="administer"
        label="Edit"
        size="xs"
        icon={<IconPencil size={14} />}
        title={`Edit ${client.name}`}
        confirm="Save"
        fields={[
          { name: 'name', label: 'Name', required: true, initial: client.name },
          { name: 'redirect_uris', label: 'Redirect addresses', kind: 'tags', initial: client.redirect_uris },
          rangesField(client.allowed_cidrs),
          {
            name: 'disabled',
            label: 'Disabled: its tokens count no more',
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
        done={() => 'Saved.'}
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
    label="Make confidential"
    size="xs"
    title={`Make ${client.name} confidential`}
    confirm="Make confidential"
    fields={[reasonField]}
    consequences={() => [
      'It gets a secret, which is shown once. From then on it needs the secret to get tokens.',
      'It cannot become public again.',
    ]}
    submit={(values) =>
      adminCall<Client>('PATCH', `/clients/${part(client.client_id)}`, {
        body: { type: 'confidential', reason: textOf(values, 'reason') },
      })
    }
    result={({ client_secret }) =>
      client_secret === undefined ? null : <SecretOnce name="Client secret" value={client_secret} />
    }
  />
);

function NewClient() {
  return (
    <PlatformAction
      allows="administer"
      label="New client"
      variant="filled"
      icon={<IconPlus size={16} />}
      title="New client"
      confirm="Create"
      fields={[
        { name: 'name', label: 'Name', required: true },
        {
          name: 'merchant_no',
          label: 'Merchant',
          about: 'Empty: none.',
          kind: 'choice',
          finder: merchantFinder,
        },
        {
          name: 'type',
          label: 'Kind',
          kind: 'choice',
          required: true,
          initial: 'confidential',
          choices: [
            { value: 'confidential', label: 'Confidential: a server that keeps a secret' },
            { value: 'public', label: 'Public: an app that cannot' },
          ],
        },
        { name: 'scopes', label: 'Scopes', kind: 'tags', about: 'Press Enter after each.' },
        { name: 'redirect_uris', label: 'Redirect addresses', kind: 'tags' },
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
          <Identifier value={client_id} name="client number" />
          {client_secret !== undefined && <SecretOnce name="Client secret" value={client_secret} />}
        </>
      )}
    />
  );
}
