/** The state of a screen that its address holds, so that a link shows the same to another person. */
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useCallback } from 'react';

/** The filters and the choices of a screen, by the names of the address's parameters. */
export type View = Readonly<Record<string, string>>;

/** The parameters of this address, and a function that changes some. An empty text removes a parameter. */
export function useView(): [View, (change: Record<string, string>) => void] {
  const view = useSearch({ strict: false, select: (search: object) => search as View });
  const navigate = useNavigate();
  const change = useCallback(
    (changes: Record<string, string>) => {
      void navigate({
        to: '.',
        replace: true,
        search: (before: View) =>
          Object.fromEntries(Object.entries({ ...before, ...changes }).filter(([, value]) => value !== '')),
      } as never);
    },
    [navigate],
  );
  return [view, change];
}

/** The parameters of a view that have one of these names, for a call. */
export function pick<N extends string>(view: View, names: readonly N[]): Partial<Record<N, string>> {
  return Object.fromEntries(
    names.flatMap((name) => (view[name] === undefined ? [] : [[name, view[name]]])),
  ) as Partial<Record<N, string>>;
}

/** A part of the path of this address, by its name in the route. */
export function useParam(name: 'merchant_no' | 'order_no' | 'payment_no' | 'gd_no'): string {
  const params = useParams({ strict: false }) as unknown as Readonly<Record<string, string | undefined>>;
  const value = params[name];
  if (value === undefined) throw new Error(`the address has no ${name}`);
  return value;
}
