/** How the platform looks in checkout, mails and consoles. */
import { ColorSwatch, Group, Text } from '@mantine/core';
import { adminCall, type PlatformSettings } from '../../api/admin.ts';
import { isOn, textOf, type Values } from '../../components/dialog/fields.ts';
import { Panel } from '../../components/page/panel.tsx';
import { Facts } from '../../components/values/facts.tsx';
import { PlatformAction } from '../allowed.tsx';
import { textsOf } from '../../texts/texts.ts';

const t = textsOf('platform-operation');

type Branding = PlatformSettings['branding'];

/** The service checks the bytes and takes no more. */
const maxLogoBytes = 128 * 1024;

export const BrandingPanel = ({ branding }: { branding: Branding }) => (
  <Panel title={t('branding')} about={t('shown_to_buyers_merchants_and_your')}>
    <Facts
      of={[
        [t('name'), branding.name],
        [t('logo'), <Logo key="logo" of={branding} />],
        [
          t('accent_colour'),
          <Group key="accent" gap="xs">
            <ColorSwatch color={branding.accent_colour} size={18} />
            <span className="identifier">{branding.accent_colour}</span>
          </Group>,
        ],
        [t('support_address'), branding.support_address ?? t('not_set')],
      ]}
    />
    <ChangeBranding branding={branding} />
  </Panel>
);

const Logo = ({ of: { logo_url, name } }: { of: Branding }) =>
  logo_url === null ? (
    <Text size="sm">{t('none_pages_show_a_check_mark')}</Text>
  ) : (
    // The path alone: the page's policy allows images from its own origin, whatever that is called.
    <img
      src={new URL(logo_url).pathname}
      alt={t('logo_of_name', { name })}
      height={32}
      className="brand-logo"
    />
  );

const ChangeBranding = ({ branding }: { branding: Branding }) => (
  <PlatformAction
    allows="administer"
    label={t('edit_branding')}
    title={t('branding')}
    confirm={t('save')}
    fields={[
      { name: 'name', label: t('name'), required: true, initial: branding.name },
      {
        name: 'logo',
        label: t('new_logo'),
        kind: 'file',
        about: t('png_jpeg_or_webp_at_most'),
        accept: 'image/png,image/jpeg,image/webp',
        max_bytes: maxLogoBytes,
      },
      {
        name: 'no_logo',
        label: t('remove_the_logo'),
        kind: 'check',
        when: (values) => branding.logo_url !== null && textOf(values, 'logo') === '',
      },
      {
        name: 'accent_colour',
        label: t('accent_colour'),
        kind: 'colour',
        required: true,
        initial: branding.accent_colour,
        about: t('for_buttons_and_links_white_text'),
      },
      {
        name: 'support_address',
        label: t('support_address'),
        initial: branding.support_address ?? '',
        about: t('an_email_address_or_an_https'),
      },
    ]}
    consequences={() => [t('open_pages_show_it_after_a')]}
    submit={(values) =>
      adminCall<PlatformSettings>('PUT', '/settings', { body: { branding: changeOf(values) } })
    }
    done={() => t('branding_saved')}
  />
);

const changeOf = (values: Values) => ({
  name: textOf(values, 'name'),
  accent_colour: textOf(values, 'accent_colour'),
  support_address: textOf(values, 'support_address') || null,
  ...(textOf(values, 'logo') === '' ? {} : { logo: textOf(values, 'logo') }),
  ...(textOf(values, 'logo') === '' && isOn(values, 'no_logo') ? { logo: null } : {}),
});
