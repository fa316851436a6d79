/** The settings of the whole platform. */
import { useQuery } from '@tanstack/react-query';
import { adminCall, adminQuery, type PlatformSettings } from '../../api/admin.ts';
import { PlatformAction } from '../allowed.tsx';
import { BrandingPanel } from './branding-panel.tsx';
import { ptkField, ptkOf } from '../../components/dialog/fields.ts';
import { Loaded } from '../../components/page/loaded.tsx';
import { Page } from '../../components/page/page.tsx';
import { Panel } from '../../components/page/panel.tsx';
import { Facts } from '../../components/values/facts.tsx';
import { Ptk } from '../../components/values/money.tsx';
import { BuyerSettings } from './buyer-settings.tsx';
import { TopUpSettings } from './top-up-settings.tsx';
import { decimalOf, ptkDecimals, ptkMinorOf } from '../../money/money.ts';
import { textsOf } from '../../texts/texts.ts';

const t = textsOf('platform-operation');

export function PlatformSettingsScreen() {
  const settings = useQuery(adminQuery<PlatformSettings>('/settings'));
  return (
    <Page title={t('settings')} about={t('settings_for_the_whole_platform_changes')}>
      <Loaded of={settings} lines={3}>
        {(settings) => (
          <>
            <Panel title={t('approval_by_a_second_person')} about={t('payouts_top_ups_write_offs_and')}>
              <Facts
                of={[
                  [
                    t('threshold'),
                    settings.four_eyes_ptk === '0' ? (
                      t('off')
                    ) : (
                      <Ptk key="ptk" minor={settings.four_eyes_ptk} />
                    ),
                  ],
                ]}
              />
              <FourEyes four_eyes_ptk={settings.four_eyes_ptk} />
            </Panel>
            <BrandingPanel branding={settings.branding} />
            <BuyerSettings settings={settings} />
            <TopUpSettings top_up={settings.top_up} />
          </>
        )}
      </Loaded>
    </Page>
  );
}

const FourEyes = ({ four_eyes_ptk }: Pick<PlatformSettings, 'four_eyes_ptk'>) => (
  <PlatformAction
    allows="administer"
    label={t('change_threshold')}
    title={t('approval_by_a_second_person')}
    confirm={t('set')}
    fields={[
      {
        ...ptkField('four_eyes_ptk', t('threshold')),
        about: t('n_0_switches_it_off'),
        initial: decimalOf(BigInt(four_eyes_ptk), ptkDecimals).replace(/\.?0+$/, ''),
        check: (value) => (ptkMinorOf(String(value)) === null ? t('enter_an_amount_with_at_most') : null),
      },
    ]}
    consequences={() => [t('applies_to_new_requests_requests_that')]}
    submit={(values) =>
      adminCall<PlatformSettings>('PUT', '/settings', {
        body: { four_eyes_ptk: ptkOf(values, 'four_eyes_ptk') },
      })
    }
    done={() => t('threshold_saved')}
  />
);
