import { Group } from '@mantine/core';
import { IconPencil } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { adminCall, adminQuery, type Merchant, type MerchantWallet, type Person } from '../../api/admin.ts';
import { part } from '../../api/call.ts';
import { PlatformAction } from '../allowed.tsx';
import { isWhole, textOf } from '../../components/dialog/fields.ts';
import { useParam } from '../../components/list/view-state.ts';
import { enteredProfile, profileFacts, profileFields } from '../../components/merchant/profile.tsx';
import { WalletTiles } from '../../components/merchant/wallet.tsx';
import { AppLink } from '../../components/page/link.tsx';
import { Failure, Loaded, Skeletons } from '../../components/page/loaded.tsx';
import { Page } from '../../components/page/page.tsx';
import { Panel } from '../../components/page/panel.tsx';
import { Identifier } from '../../components/values/copy-button.tsx';
import { Facts } from '../../components/values/facts.tsx';
import { Status } from '../../components/values/status.tsx';
import { Time } from '../../components/values/time.tsx';
import { personFinder } from '../lookups.ts';
import { CreditLimit, StatusChange, WalletActions } from './merchant-money.tsx';

/** The screen of one merchant: its profile, its wallet, and the actions of administrators. */
export function MerchantScreen() {
  const merchant_no = useParam('merchant_no');
  const { data: merchant } = useQuery(adminQuery<Merchant>(`/merchants/${part(merchant_no)}`));
  const wallet = useQuery(adminQuery<MerchantWallet>(`/merchants/${part(merchant_no)}/wallet`));
  const above = <AppLink to="/platform/merchants">Merchants</AppLink>;
  if (wallet.error !== null && wallet.data === undefined) {
    return (
      <Page title="Merchant" above={above}>
        <Failure error={wallet.error} />
      </Page>
    );
  }
  return (
    <Page
      title={merchant?.name ?? 'Merchant'}
      above={above}
      beside={merchant !== undefined && <Status value={merchant.status} />}
      about={<Identifier value={merchant_no} name="merchant number" />}
      actions={merchant !== undefined && <StatusChange merchant={merchant} />}
    >
      <Loaded of={wallet}>{(known) => <WalletTiles wallet={known} />}</Loaded>
      <Panel
        title="Money"
        about="Each of these is booked once for its reference, and cannot be taken back but by its opposite."
      >
        <Group gap="sm">
          <WalletActions merchant_no={merchant_no} name={merchant?.name ?? merchant_no} />
          {merchant !== undefined && <CreditLimit merchant={merchant} />}
        </Group>
      </Panel>
      <Panel title="Profile" actions={merchant !== undefined && <EditProfile merchant={merchant} />}>
        {merchant === undefined ? <Skeletons lines={5} /> : <Profile merchant={merchant} />}
      </Panel>
    </Page>
  );
}

function Profile({ merchant }: { merchant: Merchant }) {
  const { data: owner } = useQuery(adminQuery<Person>(`/users/${part(merchant.owner_user_id)}`));
  return (
    <Facts
      of={[
        ['Owner', owner === undefined ? merchant.owner_user_id : `${owner.name} · ${owner.email}`],
        ['Income is held for', `${merchant.hold_days} days`],
        ...profileFacts(merchant),
        ['Since', <Time key="since" at={merchant.created_at} />],
      ]}
    />
  );
}

const EditProfile = ({ merchant }: { merchant: Merchant }) => (
  <PlatformAction
    allows="administer"
    label="Edit"
    icon={<IconPencil size={16} />}
    title="Edit the profile"
    confirm="Save"
    fields={[
      ...profileFields(merchant),
      {
        name: 'owner_user_id',
        label: 'Owner',
        about: 'Whoever holds the merchant may do everything with it, and let others in.',
        kind: 'choice',
        required: true,
        initial: merchant.owner_user_id,
        finder: personFinder,
      },
      {
        name: 'hold_days',
        label: 'Days that income is held',
        about: 'For orders from now on.',
        kind: 'number',
        required: true,
        initial: String(merchant.hold_days),
        check: isWhole,
      },
    ]}
    consequences={(values) =>
      textOf(values, 'owner_user_id') === merchant.owner_user_id
        ? []
        : ['The merchant is the new owner’s at once, and no longer the old one’s.']
    }
    submit={(values) =>
      adminCall<Merchant>('PATCH', `/merchants/${part(merchant.merchant_no)}`, {
        body: {
          ...enteredProfile(values),
          owner_user_id: textOf(values, 'owner_user_id'),
          hold_days: Number(textOf(values, 'hold_days')),
        },
      })
    }
    done={() => 'Saved.'}
  />
);
