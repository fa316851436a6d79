/** What the server hands to the interactive part of the page. */
import type { AppMessages } from '../texts/messages.ts';
import type { Notice } from '../texts/notices.ts';
import type { Locale } from '../model/locale.ts';
import type { CheckoutState } from '../model/state.ts';
import type { LinkContext } from './links.ts';
import type { MethodMarks } from './marks.tsx';
import type { FormattedAmounts } from './ui.ts';

/** What the page knows beside the order's state. */
export interface AppContext extends LinkContext {
  locale: Locale;
  sign_in_url: string;
  preview_method_id: string | null;
  notice: Notice | null;
  /** Whether the buyer has just come back from the provider's page, with any result, or has canceled there. */
  back: 'returned' | 'canceled' | null;
  /** Whether the page goes on in a tab of its own, beside a frame. */
  tab?: true;
  /** The page where the signed-in buyer tops up the balance and returns from; missing if top-ups are not possible. */
  top_up_url?: string;
  /** Whether the order is a top-up itself. */
  tops_up?: true;
}

/** The props of the interactive part; the page carries them as JSON. */
export interface AppProps {
  state: CheckoutState;
  context: AppContext;
  messages: AppMessages;
  /** The signs of the methods. They stand in the page already, so its script gets none. */
  marks?: MethodMarks;
  /** The amounts of this state, formatted by the server. */
  amounts: FormattedAmounts;
}
