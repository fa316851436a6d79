/** What a merchant does with its clients: create one, apply for scopes, rotate a secret, limit its addresses. */
import { Alert, Group, Stack, Text } from '@mantine/core';
import { IconKey, IconPlus } from '@tabler/icons-react';
import { answerOf, api, type components } from '../../api/client.ts';
import { ActionButton } from '../../components/dialog/action-dialog.tsx';
import { type Field, isOn, listOf, rangesField, textOf } from '../../components/dialog/fields.ts';
import { Identifier } from '../../components/values/copy-button.tsx';
import { SecretOnce } from '../../components/values/secret-once.tsx';
import { Time } from '../../components/values/time.tsx';
import { scopes as knownScopes } from './scopes.ts';

export type OwnClient = components['schemas']['OwnClient'];

const scopeField = (initial: string[] = []): Field => ({
  name: 'scopes',
  label: 'What it wants to do',
  kind: 'choices',
  required: true,
  initial,
  choices: knownScopes.map(([value, about]) => ({ value, label: `${value}: ${about}` })),
  about: 'Applied for: an administrator approves it before it counts.',
});

/** Creates a client, and shows its secret once. */
export function NewClient({ merchant_no }: { merchant_no: string }) {
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

/** Registers public keys that take the place of the secret, or takes them away. */
function ClientKeys({ client, merchant_no }: { client: OwnClient; merchant_no: string }) {
  const { client_id, name, jwks } = client;
  return (
    <ActionButton
      label="Keys"
      size="xs"
      title={`Public keys of ${name}`}
      confirm="Set"
      refresh={['merchant', merchant_no, 'clients']}
      fields={[
        {
          name: 'jwks',
          label: 'JSON Web Key Set',
          kind: 'lines',
          initial: jwks === null ? '' : JSON.stringify(jwks, null, 2),
          placeholder: '{"keys": [{"kty": "EC", "crv": "P-256", "kid": "one", "x": "…", "y": "…"}]}',
          about: 'All public keys, at most ten. Empty: the client uses a secret.',
          check: (value) => (keySetOf(value) === undefined ? 'This is no JSON Web Key Set.' : null),
        },
      ]}
      consequences={(values) =>
        textOf(values, 'jwks') === ''
          ? ['The keys stop working now. If the client had keys, a new secret is made, and shown once.']
          : ['The client signs assertions with these keys. Its secrets stop working now.']
      }
      submit={(values) =>
        answerOf(
          api.PUT('/console/v1/merchants/{merchant_no}/clients/{client_id}/keys', {
            params: { path: { merchant_no, client_id } },
            body: { jwks: keySetOf(values.jwks) ?? null },
          }),
        )
      }
      result={({ client_secret }) =>
        client_secret === undefined ? (
          <Text size="sm">The keys are set.</Text>
        ) : (
          <SecretOnce name="Client secret" value={client_secret} />
        )
      }
    />
  );
}

/** The keys in a text; undefined where it is none. */
function keySetOf(text: unknown): { keys: Record<string, unknown>[] } | undefined {
  try {
    const value: unknown = JSON.parse(String(text));
    return typeof value === 'object' && value !== null && 'keys' in value && Array.isArray(value.keys)
      ? { keys: value.keys as Record<string, unknown>[] }
      : undefined;
  } catch {
    return undefined;
  }
}

/** Disables a client of the merchant, or enables it again: for owners. */
export function ClientSwitch({ client, merchant_no }: { client: OwnClient; merchant_no: string }) {
  const { client_id, name, disabled } = client;
  return (
    <ActionButton
      label={disabled ? 'Enable' : 'Disable'}
      size="xs"
      title={disabled ? `Enable ${name}` : `Disable ${name}`}
      confirm={disabled ? 'Enable' : 'Disable'}
      danger={!disabled}
      refresh={['merchant', merchant_no, 'clients']}
      consequences={() =>
        disabled
          ? ['The client can get new tokens. Its old tokens stay ended.']
          : ['Every token of the client ends at once, and it gets no new one.']
      }
      submit={() =>
        answerOf(
          api.PATCH('/console/v1/merchants/{merchant_no}/clients/{client_id}', {
            params: { path: { merchant_no, client_id } },
            body: { disabled: !disabled },
          }),
        )
      }
      done={() => (disabled ? 'Enabled.' : 'Disabled.')}
    />
  );
}

/** Sets the addresses from which a client may call: for owners. */
export function ClientRanges({ client, merchant_no }: { client: OwnClient; merchant_no: string }) {
  const { client_id, name, allowed_cidrs } = client;
  return (
    <ActionButton
      label="Addresses"
      size="xs"
      title={`Addresses of ${name}`}
      confirm="Save"
      refresh={['merchant', merchant_no, 'clients']}
      fields={[rangesField(allowed_cidrs)]}
      consequences={(values) =>
        listOf(values, 'allowed_cidrs').length === 0
          ? []
          : ['From other addresses the client is refused at once, also with a token that it has.']
      }
      submit={(values) =>
        answerOf(
          api.PATCH('/console/v1/merchants/{merchant_no}/clients/{client_id}', {
            params: { path: { merchant_no, client_id } },
            body: { allowed_cidrs: listOf(values, 'allowed_cidrs') },
          }),
        )
      }
      done={() => 'Saved.'}
    />
  );
}

/** Applies for scopes, and rotates the secret. */
export function ClientActions({ client, merchant_no }: { client: OwnClient; merchant_no: string }) {
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
      {client.type === 'confidential' && <ClientKeys client={client} merchant_no={merchant_no} />}
      {client.type === 'confidential' && client.jwks === null && (
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
              ? 'The old one and all tokens of this client stop working now.'
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
