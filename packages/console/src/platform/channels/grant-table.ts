/** Which of the two lists of a test channel have entries. */
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
  ['A named merchant', true],
  ['Any other merchant', false],
] as const;
const buyers = [
  ['A named buyer', true],
  ['Any other buyer', false],
  ['A guest', false],
] as const;

/**
 * Who may pay through a test channel, for every kind of merchant and buyer (D-127): a list with entries requires a
 * match, and two empty lists admit nobody.
 */
export function grantRows({ merchants, users, enabled }: GrantLists): GrantRow[] {
  return sides.flatMap(([merchant, isNamedMerchant]) =>
    buyers.map(([buyer, isNamedBuyer]) => {
      const [allowed, why] = decide(
        { merchants, users, enabled },
        { isNamedMerchant, isNamedBuyer, isGuest: buyer === 'A guest' },
      );
      return { merchant, buyer, allowed, why };
    }),
  );
}

function decide(
  { merchants, users, enabled }: GrantLists,
  who: { isNamedMerchant: boolean; isNamedBuyer: boolean; isGuest: boolean },
): [boolean, string] {
  if (!enabled) return [false, 'The channel is disabled.'];
  if (!merchants && !users) return [false, 'Nobody is named.'];
  if (merchants && !who.isNamedMerchant) return [false, 'The merchant is not in the list of merchants.'];
  if (!users) return [true, 'Only merchants are named, and this is one of them.'];
  if (who.isGuest) return [false, 'Buyers are named, so whoever pays has to sign in.'];
  if (!who.isNamedBuyer) return [false, 'The buyer is not in the list of buyers.'];
  return [true, merchants ? 'Both are named.' : 'Only buyers are named, and this is one of them.'];
}
