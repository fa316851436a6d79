import { hydrate } from 'preact';
import { CheckoutApp } from '../view/checkout-app.tsx';
import type { AppProps } from '../view/props.ts';

const root = document.getElementById('checkout');
const data = document.getElementById('checkout-props')?.textContent;
if (root !== null && data !== undefined) {
  // Written by our own server into this very page.
  const props = JSON.parse(data) as AppProps;
  // In a task of its own, so that none is long.
  setTimeout(() => {
    // A method chosen before this script ran, or restored by the browser, stays chosen.
    const chosen = root.querySelector<HTMLInputElement>('[name=method]:checked');
    if (chosen !== null) props.context.preview_method_id = chosen.value;
    hydrate(<CheckoutApp {...props} />, root);
  });
}

for (const button of document.querySelectorAll<HTMLElement>('[data-print]')) {
  button.hidden = false;
  button.addEventListener('click', () => {
    window.print();
  });
}
