import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { json } from 'node:stream/consumers';
import type { World } from './world.ts';

/** A record of the provider's, with the members that any of them have. */
export interface Recorded {
  id: string;
  currency: string;
  payment_status?: string;
  amount_total?: number;
  status?: string;
  amount?: number;
  payment_intent?: string | null;
  client_reference_id?: string | null;
  created?: number;
  metadata?: Record<string, string>;
}

/** Asks the provider, some forty times in a seed. `fetch` takes three times as much of the processor. */
export async function ask(
  { cardsim: { url } }: World,
  method: string,
  path: string,
  headers: Record<string, string> = {},
  body?: string,
): Promise<unknown> {
  const asked = request(`${url}${path}`, { method, headers });
  asked.end(body);
  const [answer] = (await once(asked, 'response')) as [IncomingMessage];
  return json(answer);
}

/** Every record of a kind in one channel's account, as the provider's own API lists them. */
export async function listOf(world: World, payment_no: string, what: string): Promise<Recorded[]> {
  const items: Recorded[] = [];
  let after = '';
  for (;;) {
    const page = (await ask(world, 'GET', `/v1/${what}?limit=100${after}`, {
      authorization: `Bearer sk_live_${payment_no}`,
    })) as { data: Recorded[]; has_more: boolean };
    items.push(...page.data);
    const last = page.data.at(-1);
    if (!page.has_more || last === undefined) return items;
    after = `&starting_after=${last.id}`;
  }
}

/** The same in every channel's account. */
export async function listAll(world: World, what: string): Promise<Recorded[]> {
  const accounts = world.channels.filter(({ provider }) => provider === 'cardprov');
  return (await Promise.all(accounts.map(({ payment_no }) => listOf(world, payment_no, what)))).flat();
}
