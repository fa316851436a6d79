/** Sets up the merchants, people and channels of a run. */
import { randomBytes } from 'node:crypto';
import { BenchError } from '../bench-error.ts';
import type { Service } from '../processes/service.ts';

/** The merchants and people that exist before the measurements. */
export interface Platform {
  merchants: readonly string[];
  /** Another merchant, for measurements with one merchant. */
  one_merchant: string;
  /** A merchant without a hold: each payment adds to the same balance. */
  merchant_without_hold: string;
  /** The owner of all merchants. */
  owner: Person;
}

const merchantCount = 50;

const fee = (fixed_minor: number, percent_ppm: number) => ({ fixed_minor, percent_ppm });

/**
 * Sets up currencies, rates, channels and merchants through the administration API. Orders get two quotes,
 * PTK and card, each with a fee. No card is charged, so the card channel has no real provider.
 */
export async function setUpPlatform({ admin }: Service): Promise<Platform> {
  await admin('PUT', '/currencies/PTK', { decimals: 8, enabled: true });
  await admin('PUT', '/currencies/USD', { decimals: 2, enabled: true });
  await admin('PUT', '/rates/USD', { ptk_price: '0.10' });
  await admin('POST', '/channels', {
    owner: 'platform',
    provider: 'ptk',
    name: 'PTK wallet',
    currency: 'PTK',
    fees: [{ currency: 'PTK', buyer: fee(0, 0), merchant: fee(0, 10_000) }],
  });
  await admin('POST', '/channels', {
    owner: 'platform',
    provider: 'cardprov',
    name: 'Card',
    currency: 'USD',
    supported_currencies: ['USD'],
    fees: [{ currency: 'USD', buyer: fee(10, 0), merchant: fee(30, 29_000) }],
    config: {
      api_base: 'http://127.0.0.1:9',
      secret_key: `sk_live_${randomBytes(12).toString('hex')}`,
      webhook_secret: `whsec_${randomBytes(16).toString('hex')}`,
    },
  });
  const owner = await addUser(admin, 'owner');
  const addMerchant = async (name: string, hold_days = 1): Promise<string> => {
    const settings = { name, owner_user_id: owner.user_id, hold_days };
    return (await admin<{ merchant_no: string }>('POST', '/merchants', settings)).merchant_no;
  };
  const merchants: string[] = [];
  for (let i = 1; i <= merchantCount; i++) merchants.push(await addMerchant(`Shop ${i}`));
  return {
    merchants,
    owner,
    one_merchant: await addMerchant('The one shop'),
    merchant_without_hold: await addMerchant('The shop without a hold', 0),
  };
}

export interface Person {
  user_id: string;
  email: string;
  password: string;
}

/** Creates an account for a person. */
export async function addUser(
  admin: Service['admin'],
  name: string,
  role: 'user' | 'admin' = 'user',
): Promise<Person> {
  const email = `${name}.${randomBytes(4).toString('hex')}@people.example`;
  const password = randomBytes(12).toString('base64url');
  const { user_id } = await admin<{ user_id: string }>('POST', '/users', { email, password, name, role });
  return { user_id, email, password };
}

/** A signed-in buyer's session, as a `Cookie` header. */
export type Session = string;

/** Signs a person in. */
export async function signIn({ url }: Service, { email, password }: Person): Promise<Session> {
  const answer = await fetch(`${url}/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: url },
    body: JSON.stringify({ email, password }),
  });
  const [cookie] = answer.headers.getSetCookie();
  if (answer.status !== 200 || cookie === undefined) {
    throw new BenchError(`POST /session: ${answer.status} ${await answer.text()}`);
  }
  return cookie.split(';', 1)[0] ?? '';
}
