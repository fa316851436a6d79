import type { Messages } from '../catalogue/messages.ts';
import type { Notice } from '../catalogue/notices.ts';
import type { Locale } from '../model/locale.ts';
import type { CheckoutState } from '../model/state.ts';
import type { LinkContext } from './links.ts';
import type { FormattedAmounts } from './ui.ts';

/** What the page knows beside the state; the server renders from it and the browser goes on with it. */
export interface AppContext extends LinkContext {
  locale: Locale;
  sign_in_url: string;
  preview_method_id: string | null;
  notice: Notice | null;
  /** The buyer has just come back from the provider's page. */
  returned: boolean;
}

/** Everything the interactive part of the page is made of; travels in the page as JSON. */
export interface AppProps {
  state: CheckoutState;
  context: AppContext;
  messages: Messages;
  /** The amounts of this state, as the server has formatted them. */
  amounts: FormattedAmounts;
}
