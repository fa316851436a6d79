/** The first signs of a name's words, in the place of a picture: letters, digits and emoji, none cut in half (D-1404). */
export const initialsOf = (name: string, count: number): string =>
  name
    .split(/\s+/)
    .flatMap((word) => /[\p{L}\p{N}\p{Extended_Pictographic}]/u.exec(word)?.[0] ?? [])
    .slice(0, count)
    .join('')
    .toUpperCase();
