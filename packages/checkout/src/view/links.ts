/** The paths and addresses that the pages link to. Nothing else builds one. */
/** What the links of a page are built from. */
export interface LinkContext {
  /** The path prefix of the public address: '' or '/pay'. */
  base_path: string;
  order_no: string;
  token: string;
  /** The language of the page, in which the calls of its script are answered. */
  locale?: string;
  /** The origins that may show the page in a frame; missing where the page is not for a frame. */
  embed_origins?: readonly string[];
}

function withToken(path: string, { base_path, order_no, token }: LinkContext): string {
  return `${base_path}/checkout/${encodeURIComponent(order_no)}${path}?token=${encodeURIComponent(token)}`;
}

/** The page itself. */
export const pagePath = (context: LinkContext): string => withToken('', context);

/** The printable receipt. */
export const receiptPath = (context: LinkContext): string => withToken('/receipt', context);

/** The receipt as PDF. The script of the page adds the buyer's zone. */
export const receiptPdfPath = (context: LinkContext, locale: string): string =>
  `${withToken('/receipt.pdf', context)}&lang=${locale}`;

/** The page's address as a QR code. */
export const qrPath = (context: LinkContext): string => withToken('/qr.svg', context);

/** The path that the page's form posts to. From a frame, which has no cookie, it carries the language to the new tab. */
export function payPath({ base_path, order_no, locale = '', embed_origins }: LinkContext): string {
  const query = embed_origins === undefined ? '' : `?lang=${locale}`;
  return `${base_path}/checkout/${encodeURIComponent(order_no)}/pay${query}`;
}

/** The path that the form for another method posts to. */
export const closePath = ({ base_path, order_no }: LinkContext): string =>
  `${base_path}/checkout/${encodeURIComponent(order_no)}/close`;

/** The path of a JSON call. The token travels in a header or a cookie, never in the path (D-117). */
export function apiPath(
  { base_path, order_no }: LinkContext,
  call: '' | '/payments' | '/payments/close',
): string {
  return `${base_path}/checkout/api/${encodeURIComponent(order_no)}${call}`;
}

/** The event stream. It begins with an event only if the order has left the given version. */
export const eventsPath = ({ base_path, order_no }: LinkContext, version: string | undefined): string =>
  `${base_path}/checkout/api/${encodeURIComponent(order_no)}/events` +
  (version === undefined ? '' : `?version=${encodeURIComponent(version)}`);

/**
 * The sign-in address, with the previewed method in its `return_to`. An address without one leads to the page itself, which
 * asks for the sign-in where it is needed: a page in a frame does not know (D-268).
 */
export function signInPath(sign_in_url: string, method_id: string | null): string {
  if (method_id === null) return sign_in_url;
  const [path = '', query = ''] = sign_in_url.split('?', 2);
  const parameters = new URLSearchParams(query);
  const return_to = parameters.get('return_to');
  if (return_to === null) {
    parameters.set('method', method_id);
    return `${path}?${parameters.toString()}`;
  }
  const [own = '', ownQuery = ''] = return_to.split('?', 2);
  const back = new URLSearchParams(ownQuery);
  back.set('method', method_id);
  parameters.set('return_to', `${own}?${back.toString()}`);
  return `${path}?${parameters.toString()}`;
}

/** The page that tops up the balance by what a method still needs, and comes back to that method. */
export const topUpPath = (top_up_url: string, missing: string, method_id: string): string =>
  `${top_up_url}&need=${missing}&method=${encodeURIComponent(method_id)}`;

/** The address if a browser may go to it: https, or plain http for a provider on loopback. Else null. */
export function webAddress(address: string, schemes: readonly string[] = ['https:', 'http:']): string | null {
  try {
    return schemes.includes(new URL(address).protocol) ? address : null;
  } catch {
    return null;
  }
}

/** Mail addresses as people write them; anything else is shown as text. */
const mailAddress = /^[^\s@<>"]+@[^\s@<>"]+\.[^\s@<>".]+$/;

/** The address behind a merchant's contact, or null if it is neither a mail address nor a web address. */
export function contactAddress(contact: string): string | null {
  const text = contact.trim();
  return mailAddress.test(text) ? `mailto:${text}` : webAddress(text);
}

/** The merchant's address to return to, unchanged, or null if it is not https (D-123). */
export const returnAddress = (address: string | undefined): string | null =>
  address === undefined ? null : webAddress(address, ['https:']);
