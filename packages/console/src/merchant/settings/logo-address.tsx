/** The address of a merchant's logo, with its problem if there is one. */
import { Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import type { MerchantSettings } from '../../api/products.ts';

type Problem = NonNullable<MerchantSettings['logo_problem']>;

/** Why buyers do not see the picture, and what to change. */
const reasons: Record<Problem, string> = {
  not_https: 'its address does not begin with https://',
  private_target: 'its address is not public',
  dns_failed: 'the name of its server is not known',
  no_connection: 'its server could not be reached',
  timeout: 'its server did not answer in time',
  http_status: 'its server does not have it at this address',
  too_large: 'it is larger than 128 KB or 2,048 pixels a side',
  not_a_picture: 'it is no PNG, JPEG or WebP',
  animated: 'it moves, and only still pictures are shown',
};

/** The address of a merchant's logo, and why buyers do not see it. */
export function LogoAddress({ logo_url, logo_problem }: Pick<MerchantSettings, 'logo_url' | 'logo_problem'>) {
  if (logo_url === '') return '–';
  return (
    <>
      <span className="wrap">{logo_url}</span>
      {logo_problem !== null && (
        <Text component="span" display="block" size="sm">
          <IconAlertTriangle size={16} aria-hidden /> It could not be fetched: {reasons[logo_problem]}. We ask
          again within the hour.
        </Text>
      )}
    </>
  );
}
