/**
 * What a typed text searches for: the order number in it, where a link or a sentence was pasted. So the token of a checkout
 * link stays here (D-1407).
 */
export function searchedText(typed: string): string {
  const text = typed.trim();
  return /(?:^#|[\s/=])((?:mp|co)_[0-9A-Z]{26})\b/i.exec(text)?.[1] ?? text;
}
