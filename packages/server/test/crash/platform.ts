import { setTimeout as pause } from 'node:timers/promises';
import type { Cardsim } from '@paydesk/cardsim';
import { allScopes, catalogScopes, type Client, type Person } from '../support/desks/platform.ts';
import { authorizerIn } from '../support/people/user-token.ts';
import { visitorOf } from '../support/people/visitor.ts';
import { type Answer, ask, type Json } from './ask.ts';
import { type Paydesk, patience } from './paydesk.ts';

/** The platform under load: one merchant with its clients, buyers with full wallets, both ways to pay. */
export interface Platform {
  merchant_no: string;
  payment_nos: { ptk: string; card: string };
  owner: SignedIn<Person, 'cookie'>;
  clients: SignedIn<Client, 'token'>[];
  buyers: [Buyer, ...Buyer[]];
}

type SignedIn<T, Proof extends string> = T & Record<Proof, string>;

/** A person who pays at the checkout, and buys from the catalog through their own program. */
export interface Buyer extends SignedIn<Person, 'cookie'> {
  program: Client;
  /** The token that they have granted to it. */
  token: string;
}

/** Limits count per client and minute: as many as a final check of a whole round needs. */
const clients = 32;
const buyers = 6;
/** Longer than the test clock runs ahead in any run: no hold is released within one. */
const hold_days = 30;
/** The redirect address of a buyer's program. Nothing listens there. */
const redirect_uri = 'https://program.test/back';
/** In each wallet: 10,000,000 PTK. */
export const funds_ptk = 10_000_000n * 100_000_000n;

const fees = {
  buyer: { fixed_minor: 30, percent_ppm: 29_000 },
  merchant: { fixed_minor: 10, percent_ppm: 15_000, cap_minor: 500_000_000 },
};

const secrets = { secret_key: 'sk_live_simulated', webhook_secret: 'whsec_simulated' };

/** Sets up the platform through the administration API, as an operator would. No one is signed in yet. */
export async function setUpPlatform(
  { admin }: Pick<Paydesk, 'admin'>,
  cardsim: Pick<Cardsim, 'url' | 'registerWebhook'>,
): Promise<Platform> {
  await admin('PUT', '/currencies/USD', { decimals: 2, enabled: true });
  await admin('PUT', '/currencies/PTK', { decimals: 8, enabled: true });
  await admin('PUT', '/rates/USD', { ptk_price: '0.10' });
  const payment_nos = await addChannels(admin, cardsim);
  const owner = await addPerson(admin, 'owner');
  const { merchant_no } = await admin<{ merchant_no: string }>('POST', '/merchants', {
    name: 'Bookshop',
    owner_user_id: owner.user_id,
    hold_days,
  });
  const platform: Platform = {
    merchant_no,
    payment_nos,
    owner: { ...owner, cookie: '' },
    clients: [],
    buyers: [await addBuyer(admin, merchant_no, 0)],
  };
  for (let i = 0; i < clients; i++) {
    const settings = { name: `Shop server ${i}`, scopes: allScopes, redirect_uris: [] };
    platform.clients.push({ ...(await addClient(admin, merchant_no, settings)), token: '' });
  }
  for (let i = 1; i < buyers; i++) platform.buyers.push(await addBuyer(admin, merchant_no, i));
  return platform;
}

async function addChannels(
  admin: Paydesk['admin'],
  cardsim: Pick<Cardsim, 'url' | 'registerWebhook'>,
): Promise<Platform['payment_nos']> {
  const shared = { owner: 'platform', enabled: true };
  const ptk = await admin<{ payment_no: string }>('POST', '/channels', {
    ...shared,
    provider: 'ptk',
    name: 'PTK wallet',
    currency: 'PTK',
    fees: [{ currency: 'PTK', ...fees }],
  });
  const card = await admin<{ payment_no: string; webhook_url: string }>('POST', '/channels', {
    ...shared,
    provider: 'cardprov',
    name: 'Card',
    currency: 'USD',
    supported_currencies: ['USD'],
    fees: [{ currency: 'USD', ...fees }],
    config: { api_base: cardsim.url, ...secrets },
  });
  await cardsim.registerWebhook({ url: card.webhook_url, secret: secrets.webhook_secret });
  return { ptk: ptk.payment_no, card: card.payment_no };
}

const addClient = (admin: Paydesk['admin'], merchant_no: string, settings: Json): Promise<Client> =>
  admin('POST', '/clients', { merchant_no, type: 'confidential', ...settings });

async function addBuyer(admin: Paydesk['admin'], merchant_no: string, i: number): Promise<Buyer> {
  const person = await addPerson(admin, `buyer-${i}`);
  const top_up = { amount_ptk: funds_ptk.toString(), reference: `start-${i}`, reason: 'to start with' };
  await admin('POST', `/users/${person.user_id}/ptk-top-ups`, top_up);
  const settings = { name: `Program ${i}`, scopes: catalogScopes, redirect_uris: [redirect_uri] };
  return { ...person, cookie: '', program: await addClient(admin, merchant_no, settings), token: '' };
}

async function addPerson(admin: Paydesk['admin'], name: string): Promise<Person> {
  const person = { email: `${name}@people.test`, password: `${name}-has-a-long-password`, name };
  const { user_id } = await admin<{ user_id: string }>('POST', '/users', person);
  return { user_id, email: person.email, password: person.password };
}

/** Gets a token for every client: it lasts for a round, not for a whole night. */
export async function getTokens({ url }: Pick<Paydesk, 'url'>, platform: Platform): Promise<void> {
  for (const client of platform.clients) {
    const { client_id, client_secret } = client;
    const scope = allScopes.join(' ');
    const form = { grant_type: 'client_credentials', client_id, client_secret, scope };
    const { body } = await mustSignIn(() =>
      ask<{ access_token: string }>(`${url}/oauth/token`, 'POST', { form }),
    );
    client.token = body.access_token;
  }
}

/** Signs all people in, and lets every buyer authorize their program, for a round. */
export async function signAllIn(paydesk: Pick<Paydesk, 'url'>, platform: Platform): Promise<void> {
  await getTokens(paydesk, platform);
  platform.owner.cookie = await signIn(paydesk, platform.owner);
  for (const buyer of platform.buyers) {
    buyer.cookie = await signIn(paydesk, buyer);
    const browser = visitorOf(paydesk, buyer.cookie);
    const authorizer = authorizerIn(browser, paydesk, buyer.program, redirect_uri);
    buyer.token = await authorizer.token(catalogScopes.join(' '));
  }
}

/** The session as a `Cookie` header has it. */
async function signIn({ url }: Pick<Paydesk, 'url'>, { email, password }: Person): Promise<string> {
  const asked = { body: { email, password }, headers: { origin: url } };
  const { headers } = await mustSignIn(() => ask(`${url}/session`, 'POST', asked));
  return (headers.getSetCookie()[0] ?? '').split(';', 1)[0] ?? '';
}

/** On a busy machine a service whose database has just come back may have to refuse for a while. */
async function mustSignIn<T = Json>(call: () => Promise<Answer<T> | null>): Promise<Answer<T>> {
  let answer = await call();
  for (let again = 0; answer?.status === 503 && again < patience; again++) {
    await pause(1_000);
    answer = await call();
  }
  if (answer?.status !== 200) throw new Error(`signing in: ${answer?.text ?? 'no answer'}`);
  return answer;
}
