/** The acts of the audit log in words. */
const acts: Readonly<Record<string, string>> = {
  'order.create': 'Created an order',
  'order.note': 'Wrote a note',
  'order.note-delete': 'Deleted a note',
  'payment_link.create': 'Created a payment link',
  'payment_link.close': 'Closed a payment link',
  'member.invite': 'Invited a person',
  'member.change': 'Changed a role',
  'member.remove': 'Removed a person',
  'member.add': 'Added a person',
  'member.accept': 'Accepted an invitation',
  'member.withdraw-invitation': 'Withdrew an invitation',
  'client.create': 'Created an API key',
  'client.rotate-secret': 'Rotated the secret of an API key',
  'client.set-keys': 'Changed the keys of an API key',
  'scope-application.create': 'Applied for scopes',
  'notification-settings.save': 'Changed the webhook',
  'notification-settings.rotate-secret': 'Rotated the webhook secret',
  'notification.test': 'Sent a test event',
  'notification.retry': 'Replayed an event',
  'notification.retry-failed': 'Replayed failed events',
  'product.upload-codes': 'Uploaded codes',
  'product.withdraw-codes': 'Withdrew codes',
  'catalog-order.fulfil': 'Delivered a catalog order',
  'settings.change': 'Changed the profile',
  'secret.show': 'Saw a new secret',
  'export.csv': 'Exported a list',
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
