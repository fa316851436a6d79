/** Spanish texts of the books. The service writes statements with the same texts. */
export { texts } from '@paydesk/checkout/ledger-texts/es';
