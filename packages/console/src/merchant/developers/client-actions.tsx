/** What a merchant does with its clients: create one, apply for scopes, rotate a secret, limit its addresses. */
import { Alert, Stack, Text } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { answerOf, api, type components } from '../../api/client.ts';
import { ActionButton } from '../../components/dialog/action-dialog.tsx';
import { ActionMenu, menuAction, type MenuAction } from '../../components/dialog/action-menu.tsx';
import { type Field, isOn, listOf, rangesField, textOf } from '../../components/dialog/fields.ts';
import { Identifier } from '../../components/values/copy-button.tsx';
import { SecretOnce } from '../../components/values/secret-once.tsx';
import { Time } from '../../components/values/time.tsx';
import { scopes as knownScopes } from './scopes.ts';
import { textsOf, verbatim } from '../../texts/texts.ts';

const t = textsOf('developers');

export type OwnClient = components['schemas']['OwnClient'];

const scopeField = (initial: string[] = []): Field => ({
  name: 'scopes',
  label: t('permissions_scopes'),
  kind: 'choices',
  required: true,
  initial,
  choices: knownScopes.map(([value, about]) => ({ value, label: `${value}: ${about}` })),
  about: t('requested_scopes_take_effect_once_the'),
});

/** Creates a client, and shows its secret once. */
export function NewClient({ merchant_no, variant = 'filled' }: { merchant_no: string; variant?: string }) {
  return (
    <ActionButton
      label={t('new_api_key')}
      variant={variant}
      icon={<IconPlus size={16} />}
      title={t('new_api_key')}
      confirm={t('create')}
      refresh={['merchant', merchant_no, 'clients']}
      fields={[
        { name: 'name', label: t('name'), required: true, placeholder: t('shop_server') },
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
        scopeField(['merchant_payments.create', 'merchant_payments.read']),
        {
          name: 'redirect_uris',
          label: t('redirect_uris'),
          kind: 'tags',
          about: t('where_people_return_after_they_have'),
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
          <Text size="sm">{t('api_key_created_its_scopes_wait')}</Text>
          <Identifier value={client_id} name={t('client_id')} />
          {client_secret !== undefined && <SecretOnce name={t('client_secret')} value={client_secret} />}
        </Stack>
      )}
    />
  );
}

/** Registers public keys that take the place of the secret, or takes them away. */
const keysAction = ({ client_id, name, jwks }: OwnClient, merchant_no: string): MenuAction =>
  menuAction({
    label: t('public_keys'),
    title: t('public_keys_of_name', { name }),
    confirm: t('set'),
    refresh: ['merchant', merchant_no, 'clients'],
    fields: [
      {
        name: 'jwks',
        label: t('json_web_key_set'),
        kind: 'lines',
        initial: jwks === null ? '' : JSON.stringify(jwks, null, 2),
        placeholder: verbatim('{"keys": [{"kty": "EC", "crv": "P-256", "kid": "one", "x": "…", "y": "…"}]}'),
        about: t('all_public_keys_at_most_ten'),
        check: (value) => (keySetOf(value) === undefined ? t('this_is_not_a_valid_json') : null),
      },
    ],
    consequences: (values) =>
      textOf(values, 'jwks') === ''
        ? [t('the_public_keys_stop_working_now')]
        : [t('the_client_signs_assertions_with_these')],
    submit: (values) =>
      answerOf(
        api.PUT('/console/v1/merchants/{merchant_no}/clients/{client_id}/keys', {
          params: { path: { merchant_no, client_id } },
          body: { jwks: keySetOf(values.jwks) ?? null },
        }),
      ),
    result: ({ client_secret }) =>
      client_secret === undefined ? (
        <Text size="sm">{t('public_keys_saved')}</Text>
      ) : (
        <SecretOnce name={t('client_secret')} value={client_secret} />
      ),
  });

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
const switchAction = ({ client_id, name, disabled }: OwnClient, merchant_no: string): MenuAction =>
  menuAction({
    label: disabled ? t('enable') : t('disable'),
    title: disabled ? t('enable_name', { name }) : t('disable_name', { name }),
    confirm: disabled ? t('enable') : t('disable'),
    danger: !disabled,
    refresh: ['merchant', merchant_no, 'clients'],
    consequences: () => (disabled ? [t('the_api_key_can_get_new')] : [t('all_its_tokens_are_revoked_at')]),
    submit: () =>
      answerOf(
        api.PATCH('/console/v1/merchants/{merchant_no}/clients/{client_id}', {
          params: { path: { merchant_no, client_id } },
          body: { disabled: !disabled },
        }),
      ),
    done: () => (disabled ? t('enabled') : t('disabled')),
  });

/** Sets the addresses from which a client may call: for owners. */
const rangesAction = ({ client_id, name, allowed_cidrs }: OwnClient, merchant_no: string): MenuAction =>
  menuAction({
    label: t('ip_addresses'),
    title: t('allowed_ip_addresses_of_name', { name }),
    confirm: t('save'),
    refresh: ['merchant', merchant_no, 'clients'],
    fields: [rangesField(allowed_cidrs)],
    consequences: (values) =>
      listOf(values, 'allowed_cidrs').length === 0 ? [] : [t('calls_from_other_ip_addresses_are')],
    submit: (values) =>
      answerOf(
        api.PATCH('/console/v1/merchants/{merchant_no}/clients/{client_id}', {
          params: { path: { merchant_no, client_id } },
          body: { allowed_cidrs: listOf(values, 'allowed_cidrs') },
        }),
      ),
    done: () => t('saved'),
  });

const scopesAction = ({ client_id, name, scopes }: OwnClient, merchant_no: string): MenuAction =>
  menuAction({
    label: t('request_scopes'),
    title: t('request_scopes_for_name', { name }),
    confirm: t('request'),
    refresh: ['merchant', merchant_no, 'clients'],
    fields: [scopeField([...scopes])],
    consequences: () => [t('the_platform_decides_until_then_the')],
    submit: (values) =>
      answerOf(
        api.POST('/console/v1/merchants/{merchant_no}/clients/{client_id}/scope-applications', {
          params: { path: { merchant_no, client_id } },
          body: { scopes: listOf(values, 'scopes') },
        }),
      ),
    done: () => t('scopes_requested'),
  });

const rotateAction = ({ client_id, name }: OwnClient, merchant_no: string): MenuAction =>
  menuAction({
    label: t('rotate'),
    title: t('rotate_the_secret_of_name', { name }),
    confirm: t('rotate'),
    refresh: ['merchant', merchant_no, 'clients'],
    fields: [{ name: 'revoke_old', label: t('the_old_secret_has_leaked_revoke'), kind: 'check' }],
    consequences: (values) => [
      t('a_new_secret_is_created_and'),
      isOn(values, 'revoke_old') ? t('the_old_secret_and_all_tokens') : t('the_old_secret_keeps_working_for'),
    ],
    submit: (values) =>
      answerOf(
        api.POST('/console/v1/merchants/{merchant_no}/clients/{client_id}/secret-rotation', {
          params: { path: { merchant_no, client_id } },
          body: { revoke_old: isOn(values, 'revoke_old') },
        }),
      ),
    result: ({ client_secret, previous_valid_until }) => (
      <Stack>
        <SecretOnce name={t('client_secret')} value={client_secret} />
        {previous_valid_until !== null && (
          <Alert color="gray">
            {t.rich('the_old_secret_works_until_previous', {
              previous_valid_until: <Time at={previous_valid_until} />,
            })}
          </Alert>
        )}
      </Stack>
    ),
  });

/** The actions for a client: scopes, keys and secret; only owners change its addresses and disable it. */
export function ClientActions(props: { client: OwnClient; merchant_no: string; isOwner: boolean }) {
  const { client, merchant_no, isOwner } = props;
  const isConfidential = client.type === 'confidential';
  const actions = [
    scopesAction,
    ...(isConfidential ? [keysAction] : []),
    ...(isConfidential && client.jwks === null ? [rotateAction] : []),
    ...(isOwner ? [rangesAction, switchAction] : []),
  ];
  return <ActionMenu label={t('actions')} of={actions.map((action) => action(client, merchant_no))} />;
}
