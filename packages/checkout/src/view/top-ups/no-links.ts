/** Stands for `links.tsx` in the script of pages that lead to no top-up and are none. */
import { returnAddress } from '../links.ts';
import { MerchantLink } from '../merchant-link.tsx';
import type * as links from './links.tsx';

export const topUpLink: typeof links.topUpLink = () => null;

export const nextAddress: typeof links.nextAddress = returnAddress;

export const WayOut: typeof links.WayOut = MerchantLink;
