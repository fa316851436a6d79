/** The viewer's time zone by its IANA name: the figures' days begin in this zone. */
export const timeZone = new Intl.DateTimeFormat('en').resolvedOptions().timeZone;
