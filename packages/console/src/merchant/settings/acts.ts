/** The acts of the audit log in words. */
import { textsOf } from '../../texts/texts.ts';

const t = textsOf('team');

const acts: Readonly<Record<string, string>> = {
  'order.create': t('created_an_order'),
  'order.note': t('wrote_a_note'),
  'order.note-delete': t('deleted_a_note'),
  'payment_link.create': t('created_a_payment_link'),
  'payment_link.close': t('closed_a_payment_link'),
  'member.invite': t('invited_a_team_member'),
  'member.change': t('changed_a_role'),
  'member.remove': t('removed_a_team_member'),
  'member.add': t('added_a_team_member'),
  'member.accept': t('accepted_an_invitation'),
  'member.withdraw-invitation': t('withdrew_an_invitation'),
  'client.create': t('created_an_api_key'),
  'client.update': t('changed_an_api_key'),
  'client.rotate-secret': t('rotated_the_secret_of_an_api'),
  'client.set-keys': t('changed_the_keys_of_an_api'),
  'scope-application.create': t('requested_scopes'),
  'notification-settings.save': t('changed_the_webhook_endpoint'),
  'notification-settings.rotate-secret': t('rotated_the_signing_secret'),
  'notification.test': t('sent_a_test_event'),
  'notification.retry': t('resent_a_webhook'),
  'notification.retry-failed': t('replayed_failed_webhooks'),
  'product.create': t('created_a_product'),
  'product.change': t('changed_a_product'),
  'product.upload-codes': t('uploaded_codes'),
  'product.withdraw-codes': t('withdrew_codes'),
  'catalog-order.fulfil': t('delivered_a_catalog_order'),
  'settings.change': t('changed_the_profile'),
  'statement_export.create': t('scheduled_an_export'),
  'statement_export.change': t('changed_a_scheduled_export'),
  'statement_export.delete': t('deleted_a_scheduled_export'),
  'statement_export.send': t('sent_a_statement'),
  'secret.show': t('viewed_a_new_secret'),
  'export.csv': t('exported_a_list'),
};

/** Acts without words of their own are told by their name: `client.create` is "Client create". */
export function actInWords(action: string): string {
  const told = Object.hasOwn(acts, action) ? acts[action] : undefined;
  if (told !== undefined) return told;
  const plain = action.replaceAll(/[._-]+/g, ' ');
  return plain.charAt(0).toUpperCase() + plain.slice(1);
}

/** The kind of a target such as `order:mp_…`. */
export const kindOf = (target: string): string => (target.split(':')[0] ?? '').replaceAll('_', ' ');

export const nameOf = (target: string): string => target.slice(target.indexOf(':') + 1);
