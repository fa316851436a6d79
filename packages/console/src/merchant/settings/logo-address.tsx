/** The address of a merchant's logo, with its problem if there is one. */
import { Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import type { MerchantSettings } from '../../api/products.ts';
import { textsOf } from '../../texts/texts.ts';

const t = textsOf('team');

type Problem = NonNullable<MerchantSettings['logo_problem']>;

/** Why buyers do not see the picture, and what to change. */
const reasons: Record<Problem, string> = {
  not_https: t('its_address_does_not_begin_with'),
  private_target: t('its_address_is_not_public'),
  dns_failed: t('the_name_of_its_server_is'),
  no_connection: t('its_server_could_not_be_reached'),
  timeout: t('its_server_did_not_answer_in'),
  http_status: t('its_server_has_no_file_at'),
  too_large: t('it_is_larger_than_128_kb'),
  not_a_picture: t('it_is_not_a_png_jpeg'),
  animated: t('it_is_animated_only_still_images'),
};

/** The address of a merchant's logo, and why buyers do not see it. */
export function LogoAddress({ logo_url, logo_problem }: Pick<MerchantSettings, 'logo_url' | 'logo_problem'>) {
  if (logo_url === '') return '–';
  return (
    <>
      <span className="wrap">{logo_url}</span>
      {logo_problem !== null && (
        <Text component="span" display="block" size="sm">
          <IconAlertTriangle size={16} aria-hidden />{' '}
          {t('the_logo_could_not_be_loaded', { reason: reasons[logo_problem] })}
        </Text>
      )}
    </>
  );
}
