/** Which of the two lists of a test channel have entries. */
import { textsOf } from '../../texts/texts.ts';

const t = textsOf('platform-channels');

export interface GrantLists {
  merchants: boolean;
  users: boolean;
  enabled: boolean;
}

export interface GrantRow {
  merchant: string;
  buyer: string;
  allowed: boolean;
  why: string;
}

const sides = [
  [t('a_listed_merchant'), true],
  [t('any_other_merchant'), false],
] as const;
const buyers = [
  { buyer: t('a_listed_buyer'), isNamedBuyer: true, isGuest: false },
  { buyer: t('any_other_buyer'), isNamedBuyer: false, isGuest: false },
  { buyer: t('a_guest'), isNamedBuyer: false, isGuest: true },
] as const;

/**
 * Who may pay through a test channel, for every kind of merchant and buyer (D-127): a list with entries requires a
 * match, and two empty lists admit no buyer.
 */
export function grantRows({ merchants, users, enabled }: GrantLists): GrantRow[] {
  return sides.flatMap(([merchant, isNamedMerchant]) =>
    buyers.map(({ buyer, isNamedBuyer, isGuest }) => {
      const [allowed, why] = decide(
        { merchants, users, enabled },
        { isNamedMerchant, isNamedBuyer, isGuest },
      );
      return { merchant, buyer, allowed, why };
    }),
  );
}

function decide(
  { merchants, users, enabled }: GrantLists,
  who: { isNamedMerchant: boolean; isNamedBuyer: boolean; isGuest: boolean },
): [boolean, string] {
  if (!enabled) return [false, t('the_channel_is_disabled')];
  if (!merchants && !users) return [false, t('both_lists_are_empty')];
  if (merchants && !who.isNamedMerchant) return [false, t('the_merchant_is_not_on_the')];
  if (!users) return [true, t('only_merchants_are_listed_and_this')];
  if (who.isGuest) return [false, t('buyers_are_listed_so_the_buyer')];
  if (!who.isNamedBuyer) return [false, t('the_buyer_is_not_on_the')];
  return [true, merchants ? t('both_are_on_the_lists') : t('only_buyers_are_listed_and_this')];
}
