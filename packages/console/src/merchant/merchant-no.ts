import { useQuery } from '@tanstack/react-query';
import { mayWrite, ownMerchantsQuery, type OwnMerchant, type Subject } from '../api/merchants.ts';
import { useParam } from '../components/list/view-state.ts';

/** The number of the merchant whose console this is; it is a part of the address. */
export const useMerchantNo = (): string => useParam('merchant_no');

/** The merchant of this console with its name and the person's role; undefined until they are loaded. */
export function useOwnMerchant(): OwnMerchant | undefined {
  const merchant_no = useMerchantNo();
  return useQuery(ownMerchantsQuery).data?.items.find((one) => one.merchant_no === merchant_no);
}

/** Whether this person may change something of this merchant. The screen follows it; the service decides. */
export function useMayWrite(subject: Subject): boolean {
  return mayWrite(useOwnMerchant()?.role, subject);
}
