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
import { Failure, Loaded } from '../../components/page/loaded.tsx';
import { Page } from '../../components/page/page.tsx';
import { Panel } from '../../components/page/panel.tsx';
import { Identifier } from '../../components/values/copy-button.tsx';
import { Facts } from '../../components/values/facts.tsx';
import { Status } from '../../components/values/status.tsx';
import { Time } from '../../components/values/time.tsx';
import { personFinder } from '../lookups.ts';
import { CreditLimit, StatusChange, WalletActions } from './merchant-money.tsx';
import { textsOf } from '../../texts/texts.ts';

const t = textsOf('platform-merchants');

/** The screen of one merchant: its profile, its wallet, and the actions of administrators. */
export function MerchantScreen() {
  const merchant_no = useParam('merchant_no');
  const known = useQuery(adminQuery<Merchant>(`/merchants/${part(merchant_no)}`));
  const merchant = known.data;
  const wallet = useQuery(adminQuery<MerchantWallet>(`/merchants/${part(merchant_no)}/wallet`));
  const above = <AppLink to="/platform/merchants">{t('merchants')}</AppLink>;
  if (wallet.error !== null && wallet.data === undefined) {
    return (
      <Page title={t('merchant')} above={above}>
        <Failure error={wallet.error} retry={() => void wallet.refetch()} />
      </Page>
    );
  }
  return (
    <Page
      title={merchant?.name ?? t('merchant')}
      above={above}
      beside={merchant !== undefined && <Status value={merchant.status} />}
      about={<Identifier value={merchant_no} name={t('merchant_id')} />}
      actions={merchant !== undefined && <StatusChange merchant={merchant} />}
    >
      <Loaded of={wallet}>{(of) => <WalletTiles wallet={of} />}</Loaded>
      <Panel title={t('money')} about={t('each_reference_is_booked_once_a')}>
        <Group gap="sm">
          <WalletActions
            merchant_no={merchant_no}
            name={merchant?.name ?? merchant_no}
            wallet={wallet.data}
          />
          {merchant !== undefined && <CreditLimit merchant={merchant} />}
        </Group>
      </Panel>
      <Panel title={t('profile')} actions={merchant !== undefined && <EditProfile merchant={merchant} />}>
        <Loaded of={known} lines={5}>
          {(of) => <Profile merchant={of} />}
        </Loaded>
      </Panel>
    </Page>
  );
}

function Profile({ merchant }: { merchant: Merchant }) {
  const { data: owner } = useQuery(adminQuery<Person>(`/users/${part(merchant.owner_user_id)}`));
  return (
    <Facts
      of={[
        [t('owner'), owner === undefined ? merchant.owner_user_id : `${owner.name} · ${owner.email}`],
        [t('hold_period'), t('hold_days_days', { hold_days: merchant.hold_days })],
        ...profileFacts(merchant),
        [t('since'), <Time key="since" at={merchant.created_at} />],
      ]}
    />
  );
}

const EditProfile = ({ merchant }: { merchant: Merchant }) => (
  <PlatformAction
    allows="administer"
    label={t('edit')}
    icon={<IconPencil size={16} />}
    title={t('edit_the_profile')}
    confirm={t('save')}
    fields={[
      ...profileFields(merchant),
      {
        name: 'owner_user_id',
        label: t('owner'),
        about: t('the_owner_has_full_access_to'),
        kind: 'choice',
        required: true,
        initial: merchant.owner_user_id,
        finder: personFinder,
      },
      {
        name: 'hold_days',
        label: t('hold_period_in_days'),
        about: t('applies_to_new_orders'),
        kind: 'number',
        required: true,
        initial: String(merchant.hold_days),
        check: isWhole,
      },
    ]}
    consequences={(values) =>
      textOf(values, 'owner_user_id') === merchant.owner_user_id ? [] : [t('the_merchant_belongs_to_the_new')]
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
    done={() => t('saved')}
  />
);
