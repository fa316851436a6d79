import { queryOptions, useQuery } from '@tanstack/react-query';
import { adminCall, type Currency, type Merchant } from '../api/admin.ts';
import type { ListPage } from '../api/list.ts';

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

export const useMerchants = (): readonly Merchant[] =>
  useQuery(allQuery<Merchant>('/merchants')).data ?? none;

export const useCurrencies = (): readonly Currency[] =>
  useQuery(allQuery<Currency>('/currencies')).data ?? none;

/** What a merchant is called, by its number. */
export function useMerchantName(): (merchant_no: string) => string {
  const merchants = useMerchants();
  return (merchant_no) => merchants.find((one) => one.merchant_no === merchant_no)?.name ?? merchant_no;
}

export const merchantChoices = (merchants: readonly Merchant[]) =>
  merchants.map(({ merchant_no, name }) => ({ value: merchant_no, label: `${name} (${merchant_no})` }));
