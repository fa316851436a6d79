import { queryOptions, useQuery } from '@tanstack/react-query';
import { adminCall, type Currency, type Merchant, type Person } from '../api/admin.ts';
import type { ListPage } from '../api/list.ts';
import type { Finder } from '../components/dialog/finder.tsx';

/** Every entry of a list, for choosing among them; at most as many as a person would look through. */
const allQuery = <T>(path: string) =>
  queryOptions({
    queryKey: ['platform', path, 'all'],
    queryFn: async ({ signal }) => {
      const all: T[] = [];
      let cursor: string | undefined;
      do {
        const page = await adminCall<ListPage<T>>('GET', path, { query: { limit: 100, cursor }, signal });
        all.push(...page.items);
        cursor = page.next_cursor;
      } while (cursor !== undefined && all.length < 1_000);
      return all;
    },
  });

const none: readonly never[] = [];

const useMerchants = (): readonly Merchant[] => useQuery(allQuery<Merchant>('/merchants')).data ?? none;

export const useCurrencies = (): readonly Currency[] =>
  useQuery(allQuery<Currency>('/currencies')).data ?? none;

/** What a merchant is called, by its number. */
export function useMerchantName(): (merchant_no: string) => string {
  const merchants = useMerchants();
  return (merchant_no) => merchants.find((one) => one.merchant_no === merchant_no)?.name ?? merchant_no;
}

/** The first few that a list of the service has under a text. */
const firstOf = async <T>(path: string, text: string, signal: AbortSignal): Promise<T[]> => {
  const query = { limit: 20, ...(text === '' ? {} : { q: text }) };
  return (await adminCall<ListPage<T>>('GET', path, { query, signal })).items;
};

/** Merchants by a part of their name, or by their number. */
export const merchantFinder: Finder = {
  name: 'merchants',
  find: async (text, signal) =>
    (await firstOf<Merchant>('/merchants', text, signal)).map(({ merchant_no, name }) => ({
      value: merchant_no,
      label: `${name} (${merchant_no})`,
    })),
};

/** People by how their name or their address begins, or by their number. */
export const personFinder: Finder = {
  name: 'people',
  find: async (text, signal) =>
    (await firstOf<Person>('/users', text, signal)).map(({ user_id, name, email }) => ({
      value: user_id,
      label: `${name} · ${email}`,
    })),
};
