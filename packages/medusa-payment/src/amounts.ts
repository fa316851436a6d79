/** Medusa's amounts are in major units: numbers, texts, or objects around them. Paydesk's are decimal strings. */

/**
 * The exact decimal string of an amount. Trailing zeros and digits beyond the currency's are kept: Paydesk refuses what the
 * currency cannot represent, so that nothing is rounded on the way (D-366).
 *
 * @throws RangeError for a negative amount, and for a number that may have lost digits
 */
export function decimalOf(amount: unknown): string {
  const inner = amount as { raw?: unknown; raw_?: unknown; value?: unknown } | null;
  if (typeof inner === 'object' && inner !== null) {
    const within = inner.raw ?? inner.raw_ ?? inner.value;
    if (within !== undefined) return decimalOf(within);
    return decimalOf(String(amount));
  }
  // The shortest text that gives this number again: what was entered, as long as it has at most 15 digits.
  const text = typeof amount === 'number' ? String(amount) : amount;
  if (typeof text !== 'string' || !/^\d+(\.\d+)?$/.test(text))
    throw new RangeError(`${String(text)} is no amount that can be collected`);
  if (typeof amount === 'number' && text.replace(/^0\.0*|\./, '').length > 15)
    throw new RangeError(`${text} has more digits than a number keeps exactly`);
  return text;
}
