import type { FindLogo, Logo } from '../../merchants/index.ts';

/** Where a merchant's picture is found below the public address; another picture has another address. */
const logoPath = (merchant_id: string, { content_hash }: Logo): string =>
  `/checkout/logos/${merchant_id}/${content_hash}`;

/** The address of a merchant's picture on our own origin, or null where there is none to show. */
export type LogoUrl = (merchant_id: string) => Promise<string | null>;

/** @param base_path the path prefix of the public address: '' or '/pay' */
export function createLogoUrl(findLogo: FindLogo, base_path: string): LogoUrl {
  return async (merchant_id) => {
    const logo = await findLogo(merchant_id);
    return logo === null ? null : base_path + logoPath(merchant_id, logo);
  };
}
