import { useQuery } from '@tanstack/react-query';
import { adminQuery, type Withdrawal } from '../../api/admin.ts';
import { part } from '../../api/call.ts';
import { Amount } from '../../components/values/money.tsx';
import { allQuery, useMerchantName } from '../lookups.ts';

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
      {kind === 'withdrawal' && <Payout withdrawal_id={number} />}
      <span className="identifier">{of}</span>
    </>
  );
}

/** Who is paid by a payout, and what (D-1426). A payout cannot be read alone. */
function Payout({ withdrawal_id }: Pick<Withdrawal, 'withdrawal_id'>) {
  const { data } = useQuery({ ...allQuery<Withdrawal>('/withdrawals'), retry: false });
  const nameOf = useMerchantName();
  const payout = data?.find((one) => one.withdrawal_id === withdrawal_id);
  if (payout === undefined) return null;
  return (
    <div className="wrap">
      {nameOf(payout.merchant_no)}, <Amount amount={payout.payout_amount} currency={payout.payout_currency} />
    </div>
  );
}
