/** Reads the command line of `paydesk-cardsim`. */
import { parseArgs } from 'node:util';
import type { CardsimOptions, WebhookConfig } from './server.ts';

export const usage = `Usage: paydesk-cardsim [options]

A simulator of a card provider: Stripe Checkout Sessions with a hosted payment page.

  --port NUMBER             port to listen on (default 8090; 0: any free port)
  --host ADDRESS            address to listen on (default 127.0.0.1)
  --webhook URL             send webhooks to this address; repeatable
  --webhook-secret SECRET   signs the webhooks of the --webhook in the same position
  --webhook-account KEY     the --webhook before it gets only events of this secret key
  --public-url URL          address of the payment pages for browsers (default http://HOST:PORT)
  --state FILE              keep the state in this file over a restart
  --allow-remote-control    allow other machines to use the control API (/_sim)
  --help                    show this text
`;

/** The meaning of a command line. */
export type Command = { help: true } | { help: false; options: CardsimOptions };

const flags = {
  port: { type: 'string' },
  host: { type: 'string' },
  webhook: { type: 'string', multiple: true },
  'webhook-secret': { type: 'string', multiple: true },
  'webhook-account': { type: 'string', multiple: true },
  'public-url': { type: 'string' },
  state: { type: 'string' },
  'allow-remote-control': { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const;

/**
 * Reads a command line.
 *
 * @throws Error with one sentence for invalid arguments
 */
export function parseCommand(args: string[]): Command {
  const { values, tokens } = parseArgs({ args, options: flags, strict: true, tokens: true });
  if (values.help === true) return { help: true };
  const port = values.port ?? '8090';
  if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535) {
    throw new Error(`--port must be a number from 0 to 65535, not ${port}`);
  }
  const public_url = values['public-url'];
  if (public_url !== undefined && !(URL.canParse(public_url) && /^https?:/.test(public_url))) {
    throw new Error(`--public-url must be an http or https address, not ${public_url}`);
  }
  const accounts = new Map<number, string>();
  let position = -1;
  for (const token of tokens) {
    if (token.kind !== 'option') continue;
    if (token.name === 'webhook') position += 1;
    if (token.name !== 'webhook-account') continue;
    if (position < 0) throw new Error('--webhook-account must follow the --webhook it belongs to');
    accounts.set(position, token.value);
  }
  return {
    help: false,
    options: {
      host: values.host ?? '127.0.0.1',
      port: Number(port),
      webhooks: webhooksOf(values.webhook ?? [], values['webhook-secret'] ?? [], accounts),
      allowRemoteControl: values['allow-remote-control'] ?? false,
      ...(public_url === undefined ? {} : { publicUrl: public_url }),
      ...(values.state === undefined ? {} : { stateFile: values.state }),
    },
  };
}

function webhooksOf(urls: string[], secrets: string[], accounts: Map<number, string>): WebhookConfig[] {
  // A single secret is used for all addresses. Otherwise each address has its own secret.
  if (secrets.length !== urls.length && !(secrets.length === 1 && urls.length > 0)) {
    throw new Error(`Every --webhook needs its --webhook-secret: got ${urls.length} and ${secrets.length}`);
  }
  return urls.map((url, index) => {
    const account = accounts.get(index);
    const secret = secrets[index] ?? secrets[0] ?? '';
    return { url, secret, ...(account === undefined ? {} : { account }) };
  });
}
