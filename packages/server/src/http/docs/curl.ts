/** The `curl` example of each call in the API reference. */
import type { OperationObject } from '@paydesk/contract';

/** A call with its complete address. Parameters are in braces. */
export interface Call {
  method: string;
  url: string;
  operation: OperationObject;
}

/**
 * The call as a shell command. Secrets are shell variables. The session is in `cookies.txt`, which the sign-in example
 * writes.
 */
export function curlOf({ method, url, operation }: Call): string {
  const verb = method === 'get' || method === 'post' ? '' : `-X ${method.toUpperCase()} `;
  const parts = [
    `curl ${verb}${quoted(withParameters(url, operation))}`,
    ...credentials(operation, method, url),
    ...bodyOf(operation, method),
  ];
  return parts.join(' \\\n  ');
}

function withParameters(url: string, { parameters = [] }: OperationObject): string {
  const path = parameters
    .filter((parameter) => parameter.in === 'path')
    .reduce((text, { name, example = name }) => text.replace(`{${name}}`, example), url);
  const query = parameters
    .filter((parameter) => parameter.in === 'query' && parameter.example !== undefined)
    .map(({ name, example = '' }) => `${name}=${encodeURIComponent(example)}`);
  return query.length === 0 ? path : `${path}?${query.join('&')}`;
}

function credentials({ security, responses }: OperationObject, method: string, url: string): string[] {
  const schemes = Object.keys(security[0] ?? {});
  const lines: string[] = [];
  if (schemes.includes('merchant_token') || schemes.includes('user_token'))
    lines.push('-H "Authorization: Bearer $ACCESS_TOKEN"');
  if (schemes.includes('administration_key')) lines.push('-H "Authorization: Bearer $PAYDESK_ADMIN_KEY"');
  if (schemes.includes('checkout_token')) lines.push('-H "X-Checkout-Token: $CHECKOUT_TOKEN"');
  if (schemes.includes('session_cookie')) {
    lines.push('-b cookies.txt');
    // Writes with only the cookie need a proof of the page that they come from.
    if (method !== 'get') lines.push(`-H ${quoted(`Origin: ${new URL(url).origin}`)}`);
  }
  if (responses['200']?.headers?.['Set-Cookie'] !== undefined) lines.push('-c cookies.txt');
  return lines;
}

function bodyOf({ requestBody }: OperationObject, method: string): string[] {
  if (requestBody === undefined) return method === 'post' ? ['-X POST'] : [];
  const [[type, { example }] = ['', { example: {} }]] = Object.entries(requestBody.content);
  if (type === 'application/x-www-form-urlencoded') {
    const fields = Object.entries(example as Record<string, string>);
    return fields.map(([name, value]) => `--data-urlencode ${quoted(`${name}=${value}`)}`);
  }
  return [`-H ${quoted(`Content-Type: ${type}`)}`, `-d ${quoted(JSON.stringify(example, null, 2))}`];
}

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
