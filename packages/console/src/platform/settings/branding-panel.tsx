/** What people see of the platform in checkout, mails and consoles. */
import { ColorSwatch, Group, Text } from '@mantine/core';
import { adminCall, type PlatformSettings } from '../../api/admin.ts';
import { isOn, textOf, type Values } from '../../components/dialog/fields.ts';
import { Panel } from '../../components/page/panel.tsx';
import { Facts } from '../../components/values/facts.tsx';
import { PlatformAction } from '../allowed.tsx';

type Branding = PlatformSettings['branding'];

/** The service checks the bytes and takes no more. */
const maxLogoBytes = 128 * 1024;

export const BrandingPanel = ({ branding }: { branding: Branding }) => (
  <Panel title="Branding" about="What buyers, merchants and your team see in checkout, mails and consoles.">
    <Facts
      of={[
        ['Name', branding.name],
        ['Logo', <Logo key="logo" of={branding} />],
        [
          'Accent colour',
          <Group key="accent" gap="xs">
            <ColorSwatch color={branding.accent_colour} size={18} />
            <span className="identifier">{branding.accent_colour}</span>
          </Group>,
        ],
        ['Support address', branding.support_address ?? 'Not set'],
      ]}
    />
    <ChangeBranding branding={branding} />
  </Panel>
);

const Logo = ({ of: { logo_url, name } }: { of: Branding }) =>
  logo_url === null ? (
    <Text size="sm">None: the pages show a check mark</Text>
  ) : (
    // The path alone: the page's policy allows images from its own origin, whatever that is called.
    <img src={new URL(logo_url).pathname} alt={`Logo of ${name}`} height={32} className="brand-logo" />
  );

const ChangeBranding = ({ branding }: { branding: Branding }) => (
  <PlatformAction
    allows="administer"
    label="Change the branding"
    title="Branding"
    confirm="Save"
    fields={[
      { name: 'name', label: 'Name', required: true, initial: branding.name },
      {
        name: 'logo',
        label: 'New logo',
        kind: 'file',
        about: 'PNG, JPEG or WebP, at most 128 KB and 2048 pixels a side. It is shown 28 pixels high.',
        accept: 'image/png,image/jpeg,image/webp',
        max_bytes: maxLogoBytes,
      },
      {
        name: 'no_logo',
        label: 'Remove the logo',
        kind: 'check',
        when: (values) => branding.logo_url !== null && textOf(values, 'logo') === '',
      },
      {
        name: 'accent_colour',
        label: 'Accent colour',
        kind: 'colour',
        required: true,
        initial: branding.accent_colour,
        about: 'For buttons and links. White text on it must be readable.',
      },
      {
        name: 'support_address',
        label: 'Support address',
        initial: branding.support_address ?? '',
        about: 'An e-mail address or an HTTPS address. Empty: none is shown.',
      },
    ]}
    consequences={() => ['Open pages show it after they are loaded again.']}
    submit={(values) =>
      adminCall<PlatformSettings>('PUT', '/settings', { body: { branding: changeOf(values) } })
    }
    done={() => 'The branding is saved.'}
  />
);

const changeOf = (values: Values) => ({
  name: textOf(values, 'name'),
  accent_colour: textOf(values, 'accent_colour'),
  support_address: textOf(values, 'support_address') || null,
  ...(textOf(values, 'logo') === '' ? {} : { logo: textOf(values, 'logo') }),
  ...(textOf(values, 'logo') === '' && isOn(values, 'no_logo') ? { logo: null } : {}),
});
