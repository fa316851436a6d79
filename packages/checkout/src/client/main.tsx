/** Starts the checkout page in the browser: hydrates it from the JSON that the server put into it. */
import { hydrate } from 'preact';
import { CheckoutApp } from '../view/checkout-app.tsx';
import type { AppProps } from '../view/props.ts';
import { showOwnZone } from './own-zone.ts';

const root = document.getElementById('checkout');
const data = document.getElementById('checkout-props')?.textContent;
if (root !== null && data !== undefined) {
  // Our own server wrote it into this page.
  const props = JSON.parse(data) as AppProps;
  // A task of its own keeps every task short.
  setTimeout(() => {
    // Keep a method that was chosen before this script ran, or that the browser has restored.
    const chosen = root.querySelector<HTMLInputElement>('[name=method]:checked');
    if (chosen !== null) props.context.preview_method_id = chosen.value;
    hydrate(<CheckoutApp {...props} />, root);
  });
}

showOwnZone();

for (const button of document.querySelectorAll<HTMLElement>('[data-print]')) {
  button.hidden = false;
  button.addEventListener('click', () => {
    window.print();
  });
}
