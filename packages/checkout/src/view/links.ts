/** The paths and addresses that the pages link to. Nothing else builds one. */
/** What the links of a page are built from. */
export interface LinkContext {
  /** The path prefix of the public address: '' or '/pay'. */
  base_path: string;
  order_no: string;
  token: string;
}

function withToken(path: string, { base_path, order_no, token }: LinkContext): string {
  return `${base_path}/checkout/${encodeURIComponent(order_no)}${path}?token=${encodeURIComponent(token)}`;
}

/** The page itself. */
export const pagePath = (context: LinkContext): string => withToken('', context);

/** The printable receipt. */
export const receiptPath = (context: LinkContext): string => withToken('/receipt', context);

/** The path that the page's form posts to. */
export const payPath = ({ base_path, order_no }: LinkContext): string =>
  `${base_path}/checkout/${encodeURIComponent(order_no)}/pay`;

/** The path of a JSON call. The token travels in a header or a cookie, never in the path (D-117). */
export function apiPath({ base_path, order_no }: LinkContext, call: '' | '/payments' | '/events'): string {
  return `${base_path}/checkout/api/${encodeURIComponent(order_no)}${call}`;
}

/** The sign-in address, with the previewed method in its `return_to`. */
export function signInPath(sign_in_url: string, method_id: string | null): string {
  if (method_id === null) return sign_in_url;
  const [path = '', query = ''] = sign_in_url.split('?', 2);
  const parameters = new URLSearchParams(query);
  const return_to = parameters.get('return_to');
  if (return_to === null) return sign_in_url;
  const [own = '', ownQuery = ''] = return_to.split('?', 2);
  const back = new URLSearchParams(ownQuery);
  back.set('method', method_id);
  parameters.set('return_to', `${own}?${back.toString()}`);
  return `${path}?${parameters.toString()}`;
}

/** The address if a browser may go to it: https, or plain http for a provider on loopback. Else null. */
export function webAddress(address: string, schemes: readonly string[] = ['https:', 'http:']): string | null {
  try {
    return schemes.includes(new URL(address).protocol) ? address : null;
  } catch {
    return null;
  }
}

/** The merchant's address to return to, unchanged, or null if it is not https (D-123). */
export const returnAddress = (address: string | undefined): string | null =>
  address === undefined ? null : webAddress(address, ['https:']);
