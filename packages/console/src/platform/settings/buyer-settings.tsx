/** What buyers may do on the platform by themselves. */
import { adminCall, type PlatformSettings } from '../../api/admin.ts';
import { isOn, textOf } from '../../components/dialog/fields.ts';
import { Panel } from '../../components/page/panel.tsx';
import { Facts } from '../../components/values/facts.tsx';
import { PlatformAction } from '../allowed.tsx';

export function BuyerSettings({ settings }: { settings: PlatformSettings }) {
  return (
    <Panel title="Buyers" about="Buyers need an account to pay with PTK.">
      <Facts
        of={[
          ['People open accounts themselves', settings.sign_up ? 'Yes' : 'No'],
          ['Terms', settings.terms_url ?? 'Not set'],
        ]}
      />
      <ChangeBuyers settings={settings} />
    </Panel>
  );
}

const ChangeBuyers = ({ settings: { sign_up, terms_url } }: { settings: PlatformSettings }) => (
  <PlatformAction
    allows="administer"
    label="Change what buyers may do"
    title="Buyers"
    confirm="Save"
    fields={[
      {
        name: 'sign_up',
        label: 'People open accounts themselves',
        about: 'The address is verified by mail, so it needs a mail server.',
        kind: 'switch',
        initial: sign_up,
      },
      {
        name: 'terms_url',
        label: 'Address of your terms',
        about: 'The pages of buyers name it. Empty for none.',
        placeholder: 'https://',
        initial: terms_url ?? '',
      },
    ]}
    consequences={() => ['It applies at once, also to links that were sent before.']}
    submit={(values) =>
      adminCall<PlatformSettings>('PUT', '/settings', {
        body: { sign_up: isOn(values, 'sign_up'), terms_url: textOf(values, 'terms_url') || null },
      })
    }
    done={() => 'It is set.'}
  />
);
