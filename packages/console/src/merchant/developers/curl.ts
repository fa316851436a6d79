/**
 * Shell commands that call the interface. They have no secrets: those are shell variables, and a shell in which one is not
 * set says so and sends nothing (D-510).
 */
import { verbatim } from '../../texts/texts.ts';

export interface CurlRequest {
  method: string;
  path: string;
  client_id: string;
}

const id = verbatim('${CLIENT_ID:?first set it to the client ID}');
const token = verbatim('${ACCESS_TOKEN:?first set it to an access token}');
const secret = verbatim('${CLIENT_SECRET:?first set it to the client secret}');
const body = verbatim('${BODY:?bodies are not stored. First set it to the JSON to send}');
const orders = '/openapi/v1/merchant-payments';

/**
 * Exchanges the client's secret for an access token, which the commands of the other steps use. Shows what came instead:
 * scopes that are not approved yet are no mistake of the person (D-550).
 */
export const tokenCommand = (token_endpoint: string, client_id: string | null): string =>
  [
    `ACCESS_TOKEN=$(curl -s ${quoted(token_endpoint)}`,
    `-u "${client_id ?? id}:${secret}"`,
    verbatim(`-d 'grant_type=client_credentials' | sed 's/.*"access_token":"\\([^"]*\\)".*/\\1/')`),
  ].join(' \\\n  ') +
  verbatim(
    [
      '\ncase $ACCESS_TOKEN in',
      `  '' | *'"'* | *' '*) echo "No token came. $ACCESS_TOKEN"; unset ACCESS_TOKEN ;;`,
      '  *) echo ACCESS_TOKEN is set ;;',
      'esac',
    ].join('\n'),
  );

/** The amount and the currency of an example. */
export interface Example {
  amount: string;
  currency: string;
}

interface Currency {
  currency: string;
  decimals: number;
  /** Null: no order can be made in it now. */
  ptk_price: string | null;
}

/** An example that the service takes: in US dollars if it has a rate for them, or in the first currency with one (D-612). */
export function exampleOf(currencies: readonly Currency[]): Example {
  const rated = currencies.filter(({ ptk_price }) => ptk_price !== null);
  const known = rated.length === 0 ? currencies : rated;
  const { currency, decimals } = known.find((one) => one.currency === 'USD') ??
    known[0] ?? { currency: 'USD', decimals: 2 };
  return { amount: decimals < 2 ? '12' : '12.50', currency };
}

/** Creates an order. Its key is the time in seconds, so that a later run creates another one. */
export const orderCommand = (origin: string, example: Example): string =>
  commandOf([`curl -X POST ${quoted(origin + orders)}`, ...json(bodyOf(example))]);

const bodyOf = ({ amount, currency }: Example): string =>
  verbatim(
    `'{"external_reference":"first-order","idempotency_key":"'"$(date +%s)"'","amount":"${amount}","currency":"${currency}"}'`,
  );

/**
 * A request of the list again. Bodies are not kept: an order that was created has an example as its body, another request
 * takes it from a variable.
 *
 * @param origin scheme, host and path prefix of the service
 * @param example of an order
 */
export function curlOf(origin: string, { method, path, client_id }: CurlRequest, example: Example): string {
  const lines = [`curl -X ${method} ${quoted(origin + path)}`];
  if (path === '/oauth/token') {
    return commandOf([...lines, `-u "${client_id}:${secret}"`, `-d 'grant_type=client_credentials'`]);
  }
  if (method === 'POST' && path === orders) return orderCommand(origin, example);
  const hasBody = ['POST', 'PUT', 'PATCH'].includes(method) && !path.endsWith('/retry');
  return commandOf([...lines, ...(hasBody ? json(`"${body}"`) : [authorization])]);
}

const authorization = verbatim(`-H "Authorization: Bearer ${token}"`);

const json = (data: string): string[] => [
  authorization,
  verbatim(`-H 'Content-Type: application/json'`),
  `-d ${data}`,
];

const commandOf = (lines: string[]): string => lines.join(' \\\n  ');

/** As one word of a POSIX shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
