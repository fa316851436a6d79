/** The viewer's zone, by its name in the IANA database: days begin where they are. */
export const timeZone = new Intl.DateTimeFormat('en').resolvedOptions().timeZone;
