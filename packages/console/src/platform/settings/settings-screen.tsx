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
import { decimalOf, ptkDecimals, ptkMinorOf } from '../../money/money.ts';

export function PlatformSettingsScreen() {
  const settings = useQuery(adminQuery<PlatformSettings>('/settings'));
  return (
    <Page title="Settings" about="They apply to the whole platform, from the moment that they are set.">
      <Loaded of={settings} lines={3}>
        {(settings) => (
          <>
            <Panel
              title="Four eyes"
              about="From this amount on, paid withdrawals, top-ups, write-offs and refunds wait for a second person."
            >
              <Facts
                of={[
                  [
                    'Threshold',
                    settings.four_eyes_ptk === '0' ? 'Off' : <Ptk key="ptk" minor={settings.four_eyes_ptk} />,
                  ],
                ]}
              />
              <FourEyes four_eyes_ptk={settings.four_eyes_ptk} />
            </Panel>
            <BrandingPanel branding={settings.branding} />
            <BuyerSettings settings={settings} />
          </>
        )}
      </Loaded>
    </Page>
  );
}

const FourEyes = ({ four_eyes_ptk }: Pick<PlatformSettings, 'four_eyes_ptk'>) => (
  <PlatformAction
    allows="administer"
    label="Change the threshold"
    title="Four eyes"
    confirm="Set"
    fields={[
      {
        ...ptkField('four_eyes_ptk', 'Threshold'),
        about: '0 switches it off.',
        initial: decimalOf(BigInt(four_eyes_ptk), ptkDecimals).replace(/\.?0+$/, ''),
        check: (value) =>
          ptkMinorOf(String(value)) === null ? 'Digits, and at most eight after the point.' : null,
      },
    ]}
    consequences={() => ['It applies to requests from now on. What waits already keeps waiting.']}
    submit={(values) =>
      adminCall<PlatformSettings>('PUT', '/settings', {
        body: { four_eyes_ptk: ptkOf(values, 'four_eyes_ptk') },
      })
    }
    done={() => 'The threshold is set.'}
  />
);
