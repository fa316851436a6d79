/** Loads the script that shows the checkout in a page. For browsers; on a server, importing it does nothing. */
import type { Paydesk } from './types.ts';

export type { EmbedResult, OpenedCheckout, OpenOptions, Paydesk } from './types.ts';

export interface LoadOptions {
  /** The nonce of your page's content security policy, if it has one. */
  nonce?: string;
}

const loading = new Map<string, Promise<Paydesk>>();

/**
 * Loads `/embed/v1.js` of a service, once for a page. After a failure it can be called again.
 *
 * @param base_url the address of the service, such as `https://pay.example`
 * @throws Error if the script cannot be loaded
 */
export function loadPaydesk(base_url: string, options: LoadOptions = {}): Promise<Paydesk> {
  const src = `${base_url.replace(/\/+$/, '')}/embed/v1.js`;
  const known = loading.get(src);
  if (known !== undefined) return known;
  const fresh = append(src, options);
  loading.set(src, fresh);
  fresh.catch(() => loading.delete(src));
  return fresh;
}

function append(src: string, { nonce }: LoadOptions): Promise<Paydesk> {
  return new Promise((resolve, reject) => {
    const script = document.createElement('script');
    const fail = (): void => {
      script.remove();
      reject(new Error(`The checkout cannot be loaded from ${src}.`));
    };
    script.addEventListener('error', fail);
    script.addEventListener('load', () => {
      if (window.Paydesk === undefined) fail();
      else resolve(window.Paydesk);
    });
    if (nonce !== undefined) script.nonce = nonce;
    script.src = src;
    document.head.append(script);
  });
}
