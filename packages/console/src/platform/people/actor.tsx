import { useQuery } from '@tanstack/react-query';
import { adminQuery, type Person } from '../../api/admin.ts';
import { part } from '../../api/call.ts';
import { textsOf } from '../../texts/texts.ts';

const t = textsOf('platform-merchants');

/** The name of the person who made a change. `of` is as in the audit log: `user:` and the person's number, or a key. */
export function Actor({ of }: { of: string }) {
  const user_id = of.startsWith('user:') ? of.slice('user:'.length) : null;
  const person = useQuery({
    ...adminQuery<Person>(`/users/${part(user_id ?? '')}`),
    enabled: user_id !== null,
    staleTime: 300_000,
    retry: false,
  });
  if (of === 'key' || of === 'environment key (bootstrap)') return t('bootstrap_key');
  if (person.data === undefined) return <span className="identifier">{of}</span>;
  return (
    <span className="wrap" title={of}>
      {person.data.name}
    </span>
  );
}
