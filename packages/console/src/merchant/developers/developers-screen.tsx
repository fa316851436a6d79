import { Alert, Button, Code, Group, Stack, Text } from '@mantine/core';
import { IconBook2, IconKey, IconPlus } from '@tabler/icons-react';
import { answerOf, api, type components } from '../../api/client.ts';
import { useList } from '../../api/list.ts';
import { pageSettings } from '../../api/page-settings.ts';
import { ActionButton } from '../../components/dialog/action-dialog.tsx';
import { Identifier } from '../../components/values/copy-button.tsx';
import { type Column, DataTable } from '../../components/list/data-table.tsx';
import { type Field, isOn, listOf, textOf } from '../../components/dialog/fields.ts';
import { Empty } from '../../components/page/loaded.tsx';
import { Page } from '../../components/page/page.tsx';
import { Panel } from '../../components/page/panel.tsx';
import { Scopes } from '../../components/merchant/scopes.tsx';
import { SecretOnce } from '../../components/values/secret-once.tsx';
import { Status } from '../../components/values/status.tsx';
import { Time } from '../../components/values/time.tsx';
import { useMayWrite, useMerchantNo } from '../merchant-no.ts';
import { scopes as knownScopes } from './scopes.ts';

type OwnClient = components['schemas']['OwnClient'];

const scopeField = (initial: string[] = []): Field => ({
  name: 'scopes',
  label: 'What it wants to do',
  kind: 'choices',
  required: true,
  initial,
  choices: knownScopes.map(([value, about]) => ({ value, label: `${value}: ${about}` })),
  about: 'Applied for: an administrator approves it before it counts.',
});

/** The programs that call the interface for this merchant, and where to read about it. */
export function DevelopersScreen() {
  const merchant_no = useMerchantNo();
  const mayWrite = useMayWrite('clients');
  const list = useList<OwnClient>(['merchant', merchant_no, 'clients'], (page, signal) =>
    answerOf(
      api.GET('/console/v1/merchants/{merchant_no}/clients', {
        params: { path: { merchant_no }, query: page },
        signal,
      }),
    ),
  );
  const columns: Column<OwnClient>[] = [
    {
      header: 'Client',
      wide: true,
      cell: ({ name, client_id, redirect_uris }) => (
        <>
          <Text fw={600} size="sm" className="wrap">
            {name}
          </Text>
          <Identifier value={client_id} name="client number" />
          {redirect_uris.map((address) => (
            <Text key={address} size="xs" c="dimmed" className="wrap">
              {address}
            </Text>
          ))}
        </>
      ),
    },
    { header: 'May', wide: true, cell: ({ scopes }) => <Scopes of={scopes} /> },
    { header: 'Application', wide: true, cell: ({ application }) => <Application of={application} /> },
    { header: 'State', cell: ({ disabled }) => <Status value={disabled ? 'disabled' : 'enabled'} /> },
    { header: 'Since', cell: ({ created_at }) => <Time at={created_at} show="day" /> },
    ...(mayWrite
      ? [
          {
            header: 'Change',
            cell: (client: OwnClient) => <ClientActions client={client} merchant_no={merchant_no} />,
          },
        ]
      : []),
  ];
  return (
    <Page
      title="Developers"
      about="The programs that call the interface for you, each with an identifier and a secret of its own."
      actions={
        <Button
          component="a"
          href={`${pageSettings.base_path}/docs`}
          target="_blank"
          rel="noreferrer"
          variant="default"
          leftSection={<IconBook2 size={16} />}
        >
          API reference
        </Button>
      }
    >
      <Panel title="Clients" actions={mayWrite && <NewClient merchant_no={merchant_no} />}>
        <DataTable
          name="Clients"
          columns={columns}
          rows={list.rows}
          list={list}
          rowKey={({ client_id }) => client_id}
          empty={
            <Empty title="No client yet">
              Create one for your server: it gets a secret, and applies for what it needs.
            </Empty>
          }
        />
      </Panel>
      <Panel title="First steps" about="From a client to the first payment.">
        <Stack gap="xs">
          <Text size="sm">
            1. Your server gets an access token with the client’s identifier and secret, from{' '}
            <Code>{`${window.location.origin}${pageSettings.base_path}/oauth/token`}</Code>.
          </Text>
          <Text size="sm">
            2. It creates an order, under a key that makes repeating harmless, and sends the buyer to the
            order’s <Code>checkout_url</Code>.
          </Text>
          <Text size="sm">3. It is notified when the order changes, reads the order, and delivers.</Text>
        </Stack>
      </Panel>
    </Page>
  );
}

function Application({ of }: { of: OwnClient['application'] }) {
  if (of === null) return <Text size="sm">–</Text>;
  return (
    <Stack gap={4}>
      <Group gap={6}>
        <Status value={of.status} />
        <Time at={of.decided_at ?? of.requested_at} show="ago" />
      </Group>
      {of.status === 'pending' && <Scopes of={of.scopes} />}
      {of.reason !== null && (
        <Text size="xs" c="dimmed" className="wrap">
          {of.reason}
        </Text>
      )}
    </Stack>
  );
}

function NewClient({ merchant_no }: { merchant_no: string }) {
  return (
    <ActionButton
      label="New client"
      variant="filled"
      icon={<IconPlus size={16} />}
      title="New client"
      confirm="Create"
      refresh={['merchant', merchant_no, 'clients']}
      fields={[
        { name: 'name', label: 'Name', required: true, placeholder: 'Shop server' },
        {
          name: 'type',
          label: 'Kind',
          kind: 'choice',
          required: true,
          initial: 'confidential',
          choices: [
            { value: 'confidential', label: 'A server, which keeps a secret' },
            { value: 'public', label: 'An app, which cannot' },
          ],
        },
        scopeField(['merchant_payments.create', 'merchant_payments.read']),
        {
          name: 'redirect_uris',
          label: 'Redirect addresses',
          kind: 'tags',
          about: 'Where people are sent back to after letting the client in. Press Enter after each.',
        },
      ]}
      submit={(values) =>
        answerOf(
          api.POST('/console/v1/merchants/{merchant_no}/clients', {
            params: { path: { merchant_no } },
            body: {
              name: textOf(values, 'name'),
              type: values.type === 'public' ? 'public' : 'confidential',
              scopes: listOf(values, 'scopes'),
              redirect_uris: listOf(values, 'redirect_uris'),
            },
          }),
        )
      }
      result={({ client_id, client_secret }) => (
        <Stack>
          <Text size="sm">The client is there. What it may do waits for an administrator.</Text>
          <Identifier value={client_id} name="client number" />
          {client_secret !== undefined && <SecretOnce name="Client secret" value={client_secret} />}
        </Stack>
      )}
    />
  );
}

function ClientActions({ client, merchant_no }: { client: OwnClient; merchant_no: string }) {
  const { client_id, name } = client;
  const params = { path: { merchant_no, client_id } };
  const refresh = ['merchant', merchant_no, 'clients'];
  return (
    <Group gap={6}>
      <ActionButton
        label="Apply for scopes"
        size="xs"
        title={`Apply for ${name}`}
        confirm="Apply"
        refresh={refresh}
        fields={[scopeField([...client.scopes])]}
        consequences={() => ['An administrator decides. Until then the client keeps what it has.']}
        submit={(values) =>
          answerOf(
            api.POST('/console/v1/merchants/{merchant_no}/clients/{client_id}/scope-applications', {
              params,
              body: { scopes: listOf(values, 'scopes') },
            }),
          )
        }
        done={() => 'Applied for.'}
      />
      {client.type === 'confidential' && (
        <ActionButton
          label="Rotate"
          size="xs"
          icon={<IconKey size={14} />}
          title={`Rotate the secret of ${name}`}
          confirm="Rotate"
          refresh={refresh}
          fields={[{ name: 'revoke_old', label: 'The old secret has leaked: end it at once', kind: 'check' }]}
          consequences={(values) => [
            'A new secret is made, and shown once.',
            isOn(values, 'revoke_old')
              ? 'The old one stops working now.'
              : 'The old one works for 24 hours more.',
          ]}
          submit={(values) =>
            answerOf(
              api.POST('/console/v1/merchants/{merchant_no}/clients/{client_id}/secret-rotation', {
                params,
                body: { revoke_old: isOn(values, 'revoke_old') },
              }),
            )
          }
          result={({ client_secret, previous_valid_until }) => (
            <Stack>
              <SecretOnce name="Client secret" value={client_secret} />
              {previous_valid_until !== null && (
                <Alert color="gray">
                  The old secret works until <Time at={previous_valid_until} />.
                </Alert>
              )}
            </Stack>
          )}
        />
      )}
    </Group>
  );
}
