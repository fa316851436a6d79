/** The currencies that orders can be made in, with today's rates. */
import { useQuery } from '@tanstack/react-query';
import { answerOf, api, type components } from '../api/client.ts';
import type { Choice } from '../components/dialog/finder.tsx';

export type KnownCurrency = components['schemas']['ConsoleCurrencies']['items'][number];

const none: readonly KnownCurrency[] = [];

export function useCurrencies(merchant_no: string): {
  currencies: readonly KnownCurrency[];
  choices: readonly Choice[];
} {
  const { data } = useQuery({
    queryKey: ['merchant', merchant_no, 'currencies'],
    queryFn: ({ signal }) =>
      answerOf(
        api.GET('/console/v1/merchants/{merchant_no}/currencies', {
          params: { path: { merchant_no } },
          signal,
        }),
      ),
    staleTime: 60_000,
  });
  const currencies = data?.items ?? none;
  return { currencies, choices: currencies.map(({ currency }) => ({ value: currency, label: currency })) };
}
