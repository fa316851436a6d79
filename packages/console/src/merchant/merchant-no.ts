import { useParam } from '../components/view-state.ts';

/** The merchant that this console is about: it stands in the address. */
export const useMerchantNo = (): string => useParam('merchant_no');
