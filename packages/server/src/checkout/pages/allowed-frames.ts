/** Which pages may show the checkout of a merchant's orders in a frame. */
import type { FindMerchant } from '../../merchants/index.ts';

/**
 * The shop of the demo platform. It runs without a certificate, so its origin cannot be registered (D-265): the
 * command that starts the shop gives it to the service, and no setting can (D-350).
 */
export interface DemoShop {
  merchant_id: string;
  origin: string;
}

/** The origins that a merchant has registered (D-266); for the merchant of the demo shop, also the shop's own. */
export async function embedOriginsOf(
  { findMerchant, demo_shop }: { findMerchant: FindMerchant; demo_shop: DemoShop | null },
  merchant_id: string,
): Promise<readonly string[]> {
  const registered = (await findMerchant(merchant_id))?.embed_origins ?? [];
  return demo_shop?.merchant_id === merchant_id ? [...registered, demo_shop.origin] : registered;
}
