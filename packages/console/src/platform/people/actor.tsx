import { useQuery } from '@tanstack/react-query';
import { adminQuery, type Person } from '../../api/admin.ts';
import { part } from '../../api/call.ts';

/** The name of the person who made a change. `of` is `key`, or `user:` and the person's number, as in the audit log. */
export function Actor({ of }: { of: string }) {
  const user_id = of.startsWith('user:') ? of.slice('user:'.length) : null;
  const person = useQuery({
    ...adminQuery<Person>(`/users/${part(user_id ?? '')}`),
    enabled: user_id !== null,
    staleTime: 300_000,
    retry: false,
  });
  if (of === 'key') return <>The administration key</>;
  if (person.data === undefined) return <span className="identifier">{of}</span>;
  return (
    <span className="wrap" title={of}>
      {person.data.name}
    </span>
  );
}
