import { Button, Text } from '@mantine/core';
import { IconPencil, IconShieldLock } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { pageSettings } from '../../api/page-settings.ts';
import { changeSettings, type MerchantSettings, readSettings } from '../../api/products.ts';
import { ActionButton } from '../../components/dialog/action-dialog.tsx';
import { enteredProfile, profileFacts, profileFields } from '../../components/merchant/profile.tsx';
import { Loaded } from '../../components/page/loaded.tsx';
import { Page } from '../../components/page/page.tsx';
import { Panel } from '../../components/page/panel.tsx';
import { Facts } from '../../components/values/facts.tsx';
import { useMayWrite, useMerchantNo } from '../merchant-no.ts';
import { LogoAddress } from './logo-address.tsx';
import { PeoplePanel } from './people-panel.tsx';
import { textsOf } from '../../texts/texts.ts';

const t = textsOf('team');

/**
 * The settings of a merchant: its profile, whether guests may buy, its people, and the link to their second
 * factor.
 */
export function SettingsScreen() {
  const merchant_no = useMerchantNo();
  const mayWrite = useMayWrite('settings');
  const settings = useQuery({
    queryKey: ['merchant', merchant_no, 'settings'],
    queryFn: ({ signal }) => readSettings(merchant_no, signal),
  });
  return (
    <Page title={t('settings')} about={t('your_public_profile_and_your_team')}>
      <Panel
        title={t('profile')}
        actions={
          settings.data !== undefined &&
          mayWrite && <Edit settings={settings.data} merchant_no={merchant_no} />
        }
      >
        <Loaded of={settings}>
          {(known) => (
            <Facts
              of={[
                [t('name'), known.name],
                ...profileFacts(
                  known,
                  <LogoAddress logo_url={known.logo_url} logo_problem={known.logo_problem} />,
                ),
              ]}
            />
          )}
        </Loaded>
      </Panel>
      <PeoplePanel merchant_no={merchant_no} />
      <Panel
        title={t('two_factor_authentication')}
        about={t('an_authenticator_app_or_a_passkey')}
        actions={
          <Button
            component="a"
            href={`${pageSettings.base_path}/account`}
            variant="default"
            leftSection={<IconShieldLock size={16} />}
          >
            {t('account_settings')}
          </Button>
        }
      >
        <Text size="sm" c="dimmed">
          {t('every_team_member_sets_up_their')}
        </Text>
      </Panel>
    </Page>
  );
}

const Edit = ({ settings, merchant_no }: { settings: MerchantSettings; merchant_no: string }) => (
  <ActionButton
    label={t('edit')}
    icon={<IconPencil size={16} />}
    title={t('edit_the_profile_2')}
    confirm={t('save')}
    fields={profileFields(settings)}
    submit={(values) => changeSettings(merchant_no, enteredProfile(values))}
    done={() => t('saved')}
  />
);
