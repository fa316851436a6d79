/** The address of a merchant's logo on our own origin. It names the content, so another logo has another one. */
import type { FindLogo, Logo } from '../../merchants/index.ts';

const logoPath = (merchant_id: string, { content_hash }: Logo): string =>
  `/checkout/logos/${merchant_id}/${content_hash}`;

/** Null if the merchant has no logo. */
export type LogoUrl = (merchant_id: string) => Promise<string | null>;

/** @param base_path the path prefix of the public address: '' or '/pay' */
export function createLogoUrl(findLogo: FindLogo, base_path: string): LogoUrl {
  return async (merchant_id) => {
    const logo = await findLogo(merchant_id);
    return logo === null ? null : base_path + logoPath(merchant_id, logo);
  };
}
