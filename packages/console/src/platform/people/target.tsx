import { useQuery } from '@tanstack/react-query';
import { adminQuery, type Withdrawal } from '../../api/admin.ts';
import { part } from '../../api/call.ts';
import { Amount } from '../../components/values/money.tsx';

/** Where the names of a kind are. */
const paths: Readonly<Record<string, string>> = { merchant: '/merchants', user: '/users' };

/**
 * What a change is made to: a merchant and a person by their name too (D-1403). `of` is as in the audit log: a kind and a
 * number.
 */
export function Target({ of }: { of: string }) {
  const [kind = '', number = ''] = of.split(':', 2);
  const name = useName(kind, number);
  return (
    <>
      {name !== undefined && <div className="wrap">{name}</div>}
      {kind === 'withdrawal' && <Payout withdrawal_id={number} />}
      <span className="identifier">{of}</span>
    </>
  );
}

/** The name of a merchant or person; undefined if it is not known, or not yet. */
function useName(kind: string, number: string): string | undefined {
  const path = paths[kind];
  const named = useQuery({
    ...adminQuery<{ name: string }>(`${path ?? ''}/${part(number)}`),
    enabled: path !== undefined && number !== '',
    staleTime: 300_000,
    retry: false,
  });
  return named.data?.name;
}

/** Who is paid by a payout, and what (D-1426, D-1450). */
function Payout({ withdrawal_id }: Pick<Withdrawal, 'withdrawal_id'>) {
  const { data: payout } = useQuery({
    ...adminQuery<Withdrawal>(`/withdrawals/${part(withdrawal_id)}`),
    retry: false,
  });
  const name = useName('merchant', payout?.merchant_no ?? '');
  if (payout === undefined) return null;
  return (
    <div className="wrap">
      {name ?? payout.merchant_no}, <Amount amount={payout.payout_amount} currency={payout.payout_currency} />
    </div>
  );
}
