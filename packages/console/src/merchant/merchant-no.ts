import { useQuery } from '@tanstack/react-query';
import { mayWrite, ownMerchantsQuery, type OwnMerchant, type Subject } from '../api/merchants.ts';
import { useParam } from '../components/list/view-state.ts';

/** The merchant that this console is about: it stands in the address. */
export const useMerchantNo = (): string => useParam('merchant_no');

/** The same, with its name and what the person is to it; undefined until that is known. */
export function useOwnMerchant(): OwnMerchant | undefined {
  const merchant_no = useMerchantNo();
  return useQuery(ownMerchantsQuery).data?.items.find((one) => one.merchant_no === merchant_no);
}

/** Whether this person may change something here. What the screen offers follows it; the service decides. */
export function useMayWrite(subject: Subject): boolean {
  return mayWrite(useOwnMerchant()?.role, subject);
}
