/** What the server hands to the interactive part of the page. */
import type { Messages } from '../catalogue/messages.ts';
import type { Notice } from '../catalogue/notices.ts';
import type { Locale } from '../model/locale.ts';
import type { CheckoutState } from '../model/state.ts';
import type { LinkContext } from './links.ts';
import type { FormattedAmounts } from './ui.ts';

/** What the page knows beside the order's state. */
export interface AppContext extends LinkContext {
  locale: Locale;
  sign_in_url: string;
  preview_method_id: string | null;
  notice: Notice | null;
  /** Whether the buyer has just come back from the provider's page. */
  returned: boolean;
}

/** The props of the interactive part; the page carries them as JSON. */
export interface AppProps {
  state: CheckoutState;
  context: AppContext;
  messages: Messages;
  /** The amounts of this state, formatted by the server. */
  amounts: FormattedAmounts;
}
