/** What buyers may do on the platform by themselves. */
import { adminCall, type PlatformSettings } from '../../api/admin.ts';
import { isOn, textOf } from '../../components/dialog/fields.ts';
import { Panel } from '../../components/page/panel.tsx';
import { Facts } from '../../components/values/facts.tsx';
import { PlatformAction } from '../allowed.tsx';
import { textsOf, verbatim } from '../../texts/texts.ts';

const t = textsOf('platform-operation');

export function BuyerSettings({ settings }: { settings: PlatformSettings }) {
  return (
    <Panel title={t('buyers')} about={t('buyers_need_an_account_to_pay')}>
      <Facts
        of={[
          [t('self_service_sign_up'), settings.sign_up ? t('yes') : t('no')],
          [t('terms'), settings.terms_url ?? t('not_set')],
        ]}
      />
      <ChangeBuyers settings={settings} />
    </Panel>
  );
}

const ChangeBuyers = ({ settings: { sign_up, terms_url } }: { settings: PlatformSettings }) => (
  <PlatformAction
    allows="administer"
    label={t('edit_buyer_settings')}
    title={t('buyers')}
    confirm={t('save')}
    fields={[
      {
        name: 'sign_up',
        label: t('self_service_sign_up'),
        about: t('the_email_address_is_verified_so'),
        kind: 'switch',
        initial: sign_up,
      },
      {
        name: 'terms_url',
        label: t('address_of_your_terms'),
        kind: 'url',
        about: t('linked_on_the_buyer_pages_leave'),
        placeholder: verbatim('https://'),
        initial: terms_url ?? '',
      },
    ]}
    consequences={() => [t('applies_at_once_also_to_links')]}
    submit={(values) =>
      adminCall<PlatformSettings>('PUT', '/settings', {
        body: { sign_up: isOn(values, 'sign_up'), terms_url: textOf(values, 'terms_url') || null },
      })
    }
    done={() => t('buyer_settings_saved')}
  />
);
