/**
 * The script `/embed/v1.js`: shows a checkout above a merchant's page. It believes only messages of the service that it came
 * from, sent by the frame that it has opened (D-267). `packages/checkout` bundles it; it needs nothing else, and stays small (D-269).
 */
import { sheet } from './sheet.ts';
import { textsFor } from './texts.ts';
import type { EmbedResult, OpenedCheckout, OpenOptions } from '../types.ts';

/** How long the page in the frame may take until it has told its status, in milliseconds. */
const patience_ms = 10_000;

/** The path of this script below the address of its service. */
const ownPath = 'embed/v1.js';

/** The address of the service, with a slash at the end. */
const service = serviceOf(document.currentScript);

function serviceOf(script: Element | SVGScriptElement | null): URL {
  const src = script instanceof HTMLScriptElement ? script.src : '';
  const end = src.lastIndexOf(ownPath);
  if (end === -1) throw new Error(`Paydesk: load ${ownPath} of your service with a script element.`);
  return new URL(src.slice(0, end));
}

let current: { address: string; handle: OpenedCheckout } | null = null;

function open({ checkout_url, onPaid, onClosed }: OpenOptions): OpenedCheckout {
  const { page, order_no } = checkoutAt(checkout_url);
  if (current?.address === page.href) return current.handle;
  current?.handle.close();

  const [name, closeText, help] = textsFor(document.documentElement.lang || navigator.language);
  const host = document.createElement('div');
  const dialog = create('dialog', {});
  dialog.setAttribute('aria-label', name);
  const button = create('button', { type: 'button', textContent: '\u00d7' });
  button.setAttribute('aria-label', closeText);
  const framed = new URL(page);
  framed.searchParams.set('embed', '1');
  const frame = create('iframe', { title: name, allow: 'clipboard-write', referrerPolicy: 'origin' });
  frame.src = framed.href;
  const link = create('a', { href: page.href, textContent: help, hidden: true });
  dialog.append(button, link, frame);

  let result: EmbedResult = { order_no, status: 'pending' };
  let heard = false;
  let paid = false;

  const onMessage = ({ source, origin, data }: MessageEvent): void => {
    if (source !== frame.contentWindow || origin !== service.origin || !isResult(data, order_no)) return;
    if (!heard) {
      heard = true;
      link.hidden = true;
      dialog.dataset.ready = '';
      // From here on the page in the frame knows the keys.
      if (document.activeElement === host) frame.focus();
    }
    if (data.status === 'closed') {
      finish();
      return;
    }
    result = { order_no, status: data.status };
    if (data.status !== 'paid' || paid) return;
    paid = true;
    onPaid?.(result);
  };

  const timer = setTimeout(() => {
    if (heard) return;
    link.hidden = false;
    console.warn(
      `Paydesk: the checkout does not answer. Is ${location.origin} in the merchant's embed_origins, and does this page's policy allow frames of ${service.origin}?`,
    );
  }, patience_ms);

  const unlock = lockScroll();
  const finish = (): void => {
    if (!host.isConnected) return;
    clearTimeout(timer);
    removeEventListener('message', onMessage);
    current = null;
    // The browser gives the focus back to where it was.
    dialog.close();
    host.remove();
    unlock();
    onClosed?.(result);
  };
  button.addEventListener('click', finish);
  // The Escape key, and the back gesture of some phones.
  dialog.addEventListener('close', finish);
  addEventListener('message', onMessage);

  sheet(host.attachShadow({ mode: 'open' })).append(dialog);
  document.body.append(host);
  dialog.showModal();
  const handle: OpenedCheckout = { close: finish };
  current = { address: page.href, handle };
  return handle;
}

/** Takes only addresses of checkouts of the service that this script came from. */
function checkoutAt(checkout_url: string): { page: URL; order_no: string } {
  const page = new URL(checkout_url, 'paydesk:');
  const prefix = `${service.pathname}checkout/`;
  const order_no = page.pathname.slice(prefix.length);
  if (page.origin !== service.origin || !page.pathname.startsWith(prefix) || !/^\w+$/.test(order_no)) {
    throw new TypeError(`Paydesk.open needs the checkout_url of an order at ${service.href}`);
  }
  return { page, order_no };
}

const isResult = (data: unknown, order_no: string): data is EmbedResult =>
  typeof data === 'object' &&
  data !== null &&
  (data as EmbedResult).order_no === order_no &&
  typeof (data as EmbedResult).status === 'string';

function create<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  values: Partial<HTMLElementTagNameMap[Name]>,
): HTMLElementTagNameMap[Name] {
  return Object.assign(document.createElement(name), values);
}

/** The page behind stays where it is, and as wide as it is. */
function lockScroll(): () => void {
  const { style } = document.documentElement;
  const { overflow, scrollbarGutter } = style;
  if (innerWidth > document.documentElement.clientWidth) style.scrollbarGutter = 'stable';
  style.overflow = 'hidden';
  return () => {
    Object.assign(style, { overflow, scrollbarGutter });
  };
}

// If the script is loaded twice, the first one stays. An element with this id does not count.
if (typeof window.Paydesk?.open !== 'function') window.Paydesk = Object.freeze({ open });
