import { useParams } from '@tanstack/react-router';

/** The merchant that this console is about: it stands in the address. */
export function useMerchantNo(): string {
  const merchant_no = useParams({ strict: false, select: (params) => params.merchant_no });
  if (merchant_no === undefined) throw new Error('a screen of the merchant outside its console');
  return merchant_no;
}
