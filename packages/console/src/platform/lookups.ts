/** Names and choices that several of the platform's screens look up: merchants, people, currencies. */
import { queryOptions, useQuery } from '@tanstack/react-query';
import { adminCall, type Currency, type Merchant, type Person } from '../api/admin.ts';
import type { ListPage } from '../api/list.ts';
import type { Finder } from '../components/dialog/finder.tsx';

/** Every entry of a list, up to a thousand, to choose among. */
export const allQuery = <T>(path: string, query: Readonly<Record<string, string>> = {}) =>
  queryOptions({
    queryKey: ['platform', path, 'all', query],
    queryFn: async ({ signal }) => {
      const all: T[] = [];
      let cursor: string | undefined;
      do {
        const page = await adminCall<ListPage<T>>('GET', path, {
          query: { ...query, limit: 100, cursor },
          signal,
        });
        all.push(...page.items);
        cursor = page.next_cursor;
      } while (cursor !== undefined && all.length < 1_000);
      return all;
    },
  });

const none: readonly never[] = [];

const useMerchants = (): readonly Merchant[] => useQuery(allQuery<Merchant>('/merchants')).data ?? none;

export const currenciesQuery = allQuery<Currency>('/currencies');

export const useCurrencies = (): readonly Currency[] => useQuery(currenciesQuery).data ?? none;

/** A function from a merchant's number to its name. */
export function useMerchantName(): (merchant_no: string) => string {
  const merchants = useMerchants();
  return (merchant_no) => merchants.find((one) => one.merchant_no === merchant_no)?.name ?? merchant_no;
}

/** The first entries of a list that match a text. */
const firstOf = async <T>(path: string, text: string, signal: AbortSignal): Promise<T[]> => {
  const query = { limit: 20, ...(text === '' ? {} : { q: text }) };
  return (await adminCall<ListPage<T>>('GET', path, { query, signal })).items;
};

/** Finds merchants by a part of their name, or by their number. */
export const merchantFinder: Finder = {
  name: 'merchants',
  find: async (text, signal) =>
    (await firstOf<Merchant>('/merchants', text, signal)).map(({ merchant_no, name }) => ({
      value: merchant_no,
      label: `${name} (${merchant_no})`,
    })),
};

/** Finds people by the beginning of their name or address, or by their number. */
export const personFinder: Finder = {
  name: 'people',
  find: async (text, signal) =>
    (await firstOf<Person>('/users', text, signal)).map(({ user_id, name, email }) => ({
      value: user_id,
      label: `${name} · ${email}`,
    })),
};
