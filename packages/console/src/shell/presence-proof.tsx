/** The dialog that asks a person to confirm a dangerous change, by password, code or passkey. */
import { Alert, Button, Group, Modal, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { IconFingerprint } from '@tabler/icons-react';
import { type SyntheticEvent, useState } from 'react';
import { messageOf } from '../api/api-error.ts';
import { proveByPasskey, provePresence } from '../api/session.ts';
import { takeFocus } from '../components/dialog/take-focus.ts';
import { useEscape } from '../components/dialog/use-escape.ts';
import { textsOf } from '../texts/texts.ts';

const t = textsOf('core');

type Answer = (proved: boolean) => void;

export function PresenceProof({ opened, close }: { opened: boolean; close: Answer }) {
  const cancel = (): void => close(false);
  useEscape(opened, cancel);
  return (
    <Modal
      opened={opened}
      onClose={cancel}
      title={<Text fw={650}>{t('confirm_your_identity')}</Text>}
      closeOnClickOutside={false}
      closeOnEscape={false}
      closeButtonProps={{ 'aria-label': t('close') }}
      zIndex={400}
    >
      {opened && <Proof close={close} />}
    </Modal>
  );
}

function Proof({ close }: { close: Answer }) {
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const [wrong, setWrong] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);

  function prove(by: () => Promise<unknown>): void {
    setBusy(true);
    setWrong(null);
    by()
      .then(() => close(true))
      .catch((error: unknown) => {
        setWrong(messageOf(error));
        setBusy(false);
      });
  }
  function submit(event: SyntheticEvent): void {
    event.preventDefault();
    prove(() => provePresence(password === '' ? { code } : { password }));
  }
  return (
    <form onSubmit={submit}>
      <Stack>
        <Text size="sm" c="dimmed">
          {t('this_change_requires_you_to_confirm')}
        </Text>
        <PasswordInput
          label={t('password')}
          name="password"
          autoComplete="current-password"
          visibilityToggleButtonProps={{ 'aria-label': t('show_or_hide_what_is_typed') }}
          data-autofocus
          value={password}
          onChange={({ currentTarget }) => setPassword(currentTarget.value)}
        />
        <TextInput
          label={t('or_a_code_from_your_authenticator')}
          name="code"
          autoComplete="one-time-code"
          value={code}
          onChange={({ currentTarget }) => setCode(currentTarget.value)}
        />
        {wrong !== null && (
          <Alert color="red" role="alert" title={t('not_confirmed')} tabIndex={-1} ref={takeFocus}>
            {wrong}
          </Alert>
        )}
        <Group justify="flex-end">
          {'PublicKeyCredential' in window && (
            <Button
              variant="default"
              leftSection={<IconFingerprint size={16} />}
              disabled={busy}
              onClick={() => prove(proveByPasskey)}
            >
              {t('use_a_passkey')}
            </Button>
          )}
          <Button variant="default" onClick={() => close(false)} disabled={busy}>
            {t('cancel')}
          </Button>
          <Button type="submit" loading={busy} disabled={password === '' && code === ''}>
            {t('confirm')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
