import { Text } from '@mantine/core';
import { IconPencil, IconShieldLock } from '@tabler/icons-react';
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { pageSettings } from '../../api/page-settings.ts';
import { changeSettings, type MerchantSettings, readSettings } from '../../api/products.ts';
import { ActionButton } from '../../components/action-dialog.tsx';
import { Facts } from '../../components/facts.tsx';
import { isOn, textOf } from '../../components/fields.ts';
import { Loaded } from '../../components/loaded.tsx';
import { Page } from '../../components/page.tsx';
import { Panel } from '../../components/panel.tsx';
import { useMayWrite, useMerchantNo } from '../merchant-no.ts';
import { PeoplePanel } from './people-panel.tsx';

/** What a merchant shows of itself, who works for it, and how they sign in. */
export function SettingsScreen() {
  const merchant_no = useMerchantNo();
  const mayWrite = useMayWrite('settings');
  const settings = useQuery({
    queryKey: ['merchant', merchant_no, 'settings'],
    queryFn: ({ signal }) => readSettings(merchant_no, signal),
  });
  return (
    <Page title="Settings" about="What buyers see of you, and who may come in here.">
      <Panel
        title="Profile"
        actions={
          settings.data !== undefined &&
          mayWrite && <Edit settings={settings.data} merchant_no={merchant_no} />
        }
      >
        <Loaded of={settings}>{(known) => <Profile settings={known} />}</Loaded>
      </Panel>
      <PeoplePanel merchant_no={merchant_no} />
      <Panel
        title="Second factor"
        about="An authenticator app or a passkey beside your password. It belongs to your account, for all merchants."
        actions={
          <Button
            component="a"
            href={`${pageSettings.base_path}/account`}
            variant="default"
            leftSection={<IconShieldLock size={16} />}
          >
            Your account
          </Button>
        }
      >
        <Text size="sm" c="dimmed">
          Everyone with access sets up their own. Sessions can be ended there as well.
        </Text>
      </Panel>
    </Page>
  );
}

const Profile = ({ settings }: { settings: MerchantSettings }) => (
  <Facts
    of={[
      ['Name', settings.name],
      ['Guests may buy', settings.guest_purchase_allowed ? 'Yes, without signing in' : 'No, buyers sign in'],
      ['Short description', settings.short_description || '–'],
      ['Description', settings.description || '–'],
      ['Business', settings.business_scope || '–'],
      ['Website', settings.website_url || '–'],
      ['Contact', settings.contact || '–'],
      ['Logo', settings.logo_url || '–'],
    ]}
  />
);

const names = [
  'name',
  'short_description',
  'description',
  'business_scope',
  'website_url',
  'contact',
  'logo_url',
] as const;

const Edit = ({ settings, merchant_no }: { settings: MerchantSettings; merchant_no: string }) => (
  <ActionButton
    label="Edit"
    icon={<IconPencil size={16} />}
    title="Edit the profile"
    confirm="Save"
    fields={[
      {
        name: 'name',
        label: 'Name',
        about: 'Buyers see it at checkout.',
        required: true,
        initial: settings.name,
      },
      {
        name: 'guest_purchase_allowed',
        label: 'Guests may buy without signing in',
        kind: 'switch',
        initial: settings.guest_purchase_allowed,
      },
      { name: 'short_description', label: 'Short description', initial: settings.short_description },
      { name: 'description', label: 'Description', kind: 'lines', initial: settings.description },
      { name: 'business_scope', label: 'Business', initial: settings.business_scope },
      { name: 'website_url', label: 'Website', initial: settings.website_url },
      { name: 'contact', label: 'Contact', initial: settings.contact },
      { name: 'logo_url', label: 'Logo', about: 'The address of a picture.', initial: settings.logo_url },
    ]}
    submit={(values) =>
      changeSettings(merchant_no, {
        ...Object.fromEntries(names.map((name) => [name, textOf(values, name)])),
        guest_purchase_allowed: isOn(values, 'guest_purchase_allowed'),
      })
    }
    done={() => 'Saved.'}
  />
);
