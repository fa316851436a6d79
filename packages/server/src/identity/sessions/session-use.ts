/** Tells what a person did from what a page does by itself, which must not keep the session of an absent person. */

/** How a session is used. */
export interface SessionUse {
  /** Whether this use counts as one of the person. */
  extends: boolean;
}

/**
 * The use by a request. The consoles mark the reads of an open page whose person has been inactive for a minute with
 * `X-Paydesk-Background: 1` (D-201).
 */
export const useBy = (headers: Readonly<Record<string, unknown>>): SessionUse => ({
  extends: headers['x-paydesk-background'] !== '1',
});
