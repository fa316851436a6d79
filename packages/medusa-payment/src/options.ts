/** The options of the provider in medusa-config. */

export interface PaydeskOptions {
  /** The address of Paydesk, such as `https://pay.example`. */
  base_url: string;
  client_id: string;
  client_secret: string;
  /** The signing secret of notifications; several, separated by spaces, while orders of an old one are open. */
  notify_secret: string;
  /** Restricts the checkout to one channel. */
  payment_no?: string;
  /** Where the buyer goes after a payment: HTTPS. */
  return_url?: string;
  /** Seconds until a checkout expires: 60 to 7200, by default 1800. */
  expires_in?: number;
  /** Accepts payments through test channels. Default: false. */
  accept_test_mode?: boolean;
}

/**
 * @throws Error that names the option that is missing
 */
export function checkOptions(options: Readonly<Record<string, unknown>>): void {
  for (const name of ['base_url', 'client_id', 'client_secret', 'notify_secret']) {
    const value = options[name];
    if (typeof value !== 'string' || value.trim() === '')
      throw new Error(`The payment provider of Paydesk has no option ${name}.`);
  }
}
