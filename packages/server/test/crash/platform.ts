import type { Cardsim } from '@paydesk/cardsim';
import { allScopes, type Client, type Person } from '../support/platform.ts';
import { type Answer, ask, type Json } from './ask.ts';
import type { Paydesk } from './paydesk.ts';

/** The platform under load: one merchant with its clients, buyers with full wallets, both ways to pay. */
export interface Platform {
  merchant_no: string;
  clients: SignedIn<Client, 'token'>[];
  buyers: SignedIn<Person, 'cookie'>[];
}

type SignedIn<T, Proof extends string> = T & Record<Proof, string>;

/** Limits count per client and minute: as many as a final check of a whole round needs. */
const clients = 32;
const buyers = 6;
/** In each wallet: 10,000,000 PTK. */
export const funds_ptk = 10_000_000n * 100_000_000n;

const fees = {
  buyer: { fixed_minor: 30, percent_ppm: 29_000 },
  merchant: { fixed_minor: 10, percent_ppm: 15_000, cap_minor: 500_000_000 },
};

const secrets = { secret_key: 'sk_live_simulated', webhook_secret: 'whsec_simulated' };

/** Sets everything up through the administration API, as an operator would; nobody is signed in yet. */
export async function setUpPlatform({ admin }: Paydesk, cardsim: Cardsim): Promise<Platform> {
  await admin('PUT', '/currencies/USD', { decimals: 2, enabled: true });
  await admin('PUT', '/currencies/PTK', { decimals: 8, enabled: true });
  await admin('PUT', '/rates/USD', { ptk_price: '0.10' });
  const shared = { owner: 'platform', enabled: true };
  await admin('POST', '/channels', {
    ...shared,
    provider: 'ptk',
    name: 'PTK wallet',
    currency: 'PTK',
    fees: [{ currency: 'PTK', ...fees }],
  });
  const card = await admin<{ webhook_url: string }>('POST', '/channels', {
    ...shared,
    provider: 'cardprov',
    name: 'Card',
    currency: 'USD',
    supported_currencies: ['USD'],
    fees: [{ currency: 'USD', ...fees }],
    config: { api_base: cardsim.url, ...secrets },
  });
  await cardsim.registerWebhook({ url: card.webhook_url, secret: secrets.webhook_secret });

  const owner = await addPerson(admin, 'owner');
  const { merchant_no } = await admin<{ merchant_no: string }>('POST', '/merchants', {
    name: 'Bookshop',
    owner_user_id: owner.user_id,
    hold_days: 1,
  });
  const platform: Platform = { merchant_no, clients: [], buyers: [] };
  for (let i = 0; i < clients; i++) {
    const client = await admin<Client>('POST', '/clients', {
      merchant_no,
      type: 'confidential',
      name: `Shop server ${i}`,
      scopes: allScopes,
      redirect_uris: [],
    });
    platform.clients.push({ ...client, token: '' });
  }
  for (let i = 0; i < buyers; i++) {
    const buyer = await addPerson(admin, `buyer-${i}`);
    const top_up = { amount_ptk: funds_ptk.toString(), reference: `start-${i}` };
    await admin('POST', `/users/${buyer.user_id}/ptk-top-ups`, top_up);
    platform.buyers.push({ ...buyer, cookie: '' });
  }
  return platform;
}

async function addPerson(admin: Paydesk['admin'], name: string): Promise<Person> {
  const person = { email: `${name}@people.test`, password: `${name}-has-a-long-password`, name };
  const { user_id } = await admin<{ user_id: string }>('POST', '/users', person);
  return { user_id, email: person.email, password: person.password };
}

/** Gets a token for every client and a session for every buyer: they last for a round, not for a whole night. */
export async function signAllIn({ url }: Paydesk, platform: Platform): Promise<void> {
  for (const client of platform.clients) {
    const { client_id, client_secret } = client;
    const scope = allScopes.join(' ');
    const form = { grant_type: 'client_credentials', client_id, client_secret, scope };
    const { body } = must(await ask<{ access_token: string }>(`${url}/oauth/token`, 'POST', { form }));
    client.token = body.access_token;
  }
  for (const buyer of platform.buyers) {
    const { email, password } = buyer;
    const { headers } = must(
      await ask(`${url}/session`, 'POST', { body: { email, password }, headers: { origin: url } }),
    );
    buyer.cookie = (headers.getSetCookie()[0] ?? '').split(';', 1)[0] ?? '';
  }
}

function must<T = Json>(answer: Answer<T> | null): Answer<T> {
  if (answer?.status !== 200) throw new Error(`signing in: ${answer?.text ?? 'no answer'}`);
  return answer;
}
