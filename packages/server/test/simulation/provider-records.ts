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

/** Every record of a kind in one channel's account, as the provider's own API lists them. */
export async function listOf(
  { cardsim: { url } }: World,
  payment_no: string,
  what: string,
): Promise<Recorded[]> {
  const items: Recorded[] = [];
  let after = '';
  for (;;) {
    const answer = await fetch(`${url}/v1/${what}?limit=100${after}`, {
      headers: { authorization: `Bearer sk_live_${payment_no}` },
    });
    const page = (await answer.json()) as { data: Recorded[]; has_more: boolean };
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
