import { useQuery } from '@tanstack/react-query';
import { adminQuery } from '../../api/admin.ts';
import { part } from '../../api/call.ts';

/** Where the names of a kind are. */
const paths: Readonly<Record<string, string>> = { merchant: '/merchants', user: '/users' };

/**
 * What a change is made to: a merchant and a person by their name too (D-1403). `of` is as in the audit log: a kind and a
 * number.
 */
export function Target({ of }: { of: string }) {
  const [kind = '', number = ''] = of.split(':', 2);
  const path = paths[kind];
  const named = useQuery({
    ...adminQuery<{ name: string }>(`${path ?? ''}/${part(number)}`),
    enabled: path !== undefined,
    staleTime: 300_000,
    retry: false,
  });
  return (
    <>
      {named.data !== undefined && <div className="wrap">{named.data.name}</div>}
      <span className="identifier">{of}</span>
    </>
  );
}
