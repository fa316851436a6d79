import {
  browserSupportsWebAuthn,
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  startAuthentication,
  startRegistration,
} from '@simplewebauthn/browser';
import { showOwnZone } from './own-zone.ts';

/**
 * The script of the account's pages. A passkey form (server/account/passkey-form.tsx) is shown where the browser knows
 * passkeys: the script asks the service for options, lets the device make or use a passkey, and sends the answer.
 */

showOwnZone();

if (browserSupportsWebAuthn()) {
  for (const form of document.querySelectorAll<HTMLFormElement>('form[data-passkey]')) {
    form.hidden = false;
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      showError(form, '');
      submitPasskey(form).catch((error: unknown) => {
        const isRefusal = error instanceof Error && error.message === 'invalid_credentials';
        showError(form, isRefusal ? form.dataset.wrong : form.dataset.failed);
      });
    });
  }
}

function showError(form: HTMLFormElement, text = ''): void {
  const box = form.querySelector('[role=alert]');
  if (box !== null) box.textContent = text;
}

/** @throws Error with the service's error code as its message, or with the reason that the device gave */
async function submitPasskey(form: HTMLFormElement): Promise<void> {
  const { passkey, options = '', then = '' } = form.dataset;
  const asked = await post(options, Object.fromEntries(new FormData(form)));
  const credential =
    passkey === 'new'
      ? await startRegistration({ optionsJSON: asked as PublicKeyCredentialCreationOptionsJSON })
      : await startAuthentication({ optionsJSON: asked as PublicKeyCredentialRequestOptionsJSON });
  await post(form.action, credential);
  location.assign(then);
}

async function post(address: string, body: unknown): Promise<unknown> {
  const answer = await fetch(address, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const content = (await answer.json()) as { error?: string };
  if (!answer.ok) throw new Error(content.error);
  return content;
}
