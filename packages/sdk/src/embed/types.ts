/** What `Paydesk.open` takes and gives in a browser. */
/** What a merchant's page learns about an order: only a hint, like a browser's return. Only your server knows what is paid. */
export interface EmbedResult {
  order_no: string;
  /** The last status that the page showed, such as `pending` or `paid`. */
  status: string;
}

export interface OpenOptions {
  /** The order's `checkout_url`, as your server received it. */
  checkout_url: string;
  /** Called once when the page shows the order as paid. Ask your server before you deliver anything. */
  onPaid?: (result: EmbedResult) => void;
  /** Called once when the checkout was closed, by the buyer or by `close`. */
  onClosed?: (result: EmbedResult) => void;
}

/** An open checkout. */
export interface OpenedCheckout {
  /** Closes it. The order stays as it is. */
  close: () => void;
}

/** What `/embed/v1.js` gives a page. */
export interface Paydesk {
  /**
   * Shows a checkout above the page. Another one that is open is closed first; the same one stays as it is.
   *
   * @throws TypeError if `checkout_url` is not the address of a checkout of the service that the script came from
   */
  open: (options: OpenOptions) => OpenedCheckout;
}

declare global {
  interface Window {
    Paydesk?: Paydesk;
  }
}
