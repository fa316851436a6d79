/**
 * What the checkout needs where it leads to a top-up, or is the page of one (D-376). The build uses `no-links.ts` instead for the script of all other pages, which is smaller by that.
 */
import type { Obstacle } from '../../model/screen.ts';
import type { CheckoutState } from '../../model/state.ts';
import { returnAddress, topUpPath, webAddress } from '../links.ts';
import { MerchantLink } from '../merchant-link.tsx';
import type { AppContext } from '../props.ts';
import type { Ui } from '../ui.ts';

/** The link to the top-up that a method needs; null where no top-up is offered. */
export function topUpLink(ui: Ui, { top_up_url }: AppContext, obstacle: Obstacle, method_id: string) {
  if (obstacle.kind !== 'insufficient_balance' || top_up_url === undefined) return null;
  return (
    <a class="primary" href={topUpPath(top_up_url, obstacle.missing, method_id)}>
      {ui.t('top_up_link')}
    </a>
  );
}

/** The address to return to. A top-up leads on within the service, which may have no certificate. */
export const nextAddress = (return_url: string | undefined, { tops_up }: AppContext): string | null =>
  tops_up ? webAddress(return_url ?? '') : returnAddress(return_url);

interface WayOutProps {
  ui: Ui;
  context: AppContext;
  merchant: CheckoutState['merchant'];
}

/** The way on from a screen on which nothing can be paid: to the merchant, or to another top-up. */
export function WayOut({ ui, context, merchant }: WayOutProps) {
  if (!context.tops_up) return <MerchantLink ui={ui} merchant={merchant} />;
  return (
    <a class="secondary" href={context.top_up_url ?? `${context.base_path}/account`}>
      {ui.t('top_up_link')}
    </a>
  );
}
