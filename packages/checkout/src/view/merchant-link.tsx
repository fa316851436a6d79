/** The way to the merchant from a screen on which nothing can be paid (D-259). */
import type { CheckoutMerchant } from '../model/state.ts';
import { contactAddress, webAddress } from './links.ts';
import type { Ui } from './ui.ts';

interface MerchantLinkProps {
  ui: Ui;
  merchant: CheckoutMerchant;
  /** Whether the buyer has a question rather than something to buy. */
  asks?: boolean;
}

/** Leads to the merchant's website or contact, or shows the contact as it was written; nothing if it names neither. */
export function MerchantLink({ ui, merchant, asks = false }: MerchantLinkProps) {
  const { name, website_url = null, contact = null } = merchant;
  const website = website_url === null ? null : webAddress(website_url);
  const direct = contact === null ? null : contactAddress(contact);
  const isContact = direct !== null && (asks || website === null);
  const address = isContact ? direct : website;
  return (
    <>
      {address !== null && (
        <a class="secondary" href={address} rel="noopener">
          {ui.t(isContact ? 'contact_link' : 'return_link', { merchant: name })}
        </a>
      )}
      {contact !== null && direct === null && (
        <p class="quiet">
          {name}: <bdi>{contact}</bdi>
        </p>
      )}
    </>
  );
}
