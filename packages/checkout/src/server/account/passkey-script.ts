/**
 * What a page with passkeys runs in the browser, by the browser's own means: a form that carries `data-passkey` asks
 * for options, lets the device make or use a passkey, and sends what came of it. Where the browser cannot do that,
 * the form stays hidden, and everything else works without a script.
 */
export const passkeyScript = `
const keys = globalThis.PublicKeyCredential;
const send = async (address, body) => {
  const answer = await fetch(address, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const told = await answer.json();
  if (!answer.ok) throw new Error(told.error);
  return told;
};
const run = async (form) => {
  const { passkey, options, then } = form.dataset;
  const asked = await send(options, Object.fromEntries(new FormData(form)));
  const credential = passkey === 'new'
    ? await navigator.credentials.create({ publicKey: keys.parseCreationOptionsFromJSON(asked) })
    : await navigator.credentials.get({ publicKey: keys.parseRequestOptionsFromJSON(asked) });
  await send(form.action, credential.toJSON());
  location.assign(then);
};
if (keys?.parseCreationOptionsFromJSON && keys.parseRequestOptionsFromJSON) {
  for (const form of document.querySelectorAll('form[data-passkey]')) {
    form.hidden = false;
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      const box = form.querySelector('[role=alert]');
      box.textContent = '';
      run(form).catch((error) => {
        box.textContent = error.message === 'invalid_credentials' ? form.dataset.wrong : form.dataset.failed;
      });
    });
  }
}
`;
