/** The frame around the merchant's screens: navigation, and the choice of a merchant. */
import {
  IconAdjustments,
  IconBox,
  IconCalendarTime,
  IconCode,
  IconHistory,
  IconHome,
  IconLink,
  IconListCheck,
  IconListSearch,
  IconRocket,
  IconScale,
  IconShoppingBag,
  IconShoppingCart,
  IconWallet,
  IconWebhook,
} from '@tabler/icons-react';
import { useMediaQuery } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { ownMerchantsQuery } from '../api/merchants.ts';
import { MenuLink } from '../components/page/link.tsx';
import { Failure } from '../components/page/loaded.tsx';
import { Frame, MenuHeading } from '../shell/frame.tsx';
import { NotFound } from '../shell/screens.tsx';
import { useMerchantNo } from './merchant-no.ts';
import { MerchantSearch } from './search.tsx';
import { Switcher } from './switcher.tsx';
import { textsOf } from '../texts/texts.ts';

const t = textsOf('merchant');

const icon = { size: 18, stroke: 1.7 } as const;

/** So narrow that the header has no room for a name: a phone at 200 % (D-753). */
const narrow = '(max-width: 16em)';

export function MerchantFrame() {
  const isNarrow = useMediaQuery(narrow);
  const merchant_no = useMerchantNo();
  const merchants = useQuery(ownMerchantsQuery);
  if (merchants.data?.items.some((one) => one.merchant_no === merchant_no) === false) return <NotFound />;
  // What is there stays, with the forms in it, where it could only not be read again.
  if (merchants.isLoadingError)
    return <Failure error={merchants.error} retry={() => void merchants.refetch()} />;
  return (
    <Frame
      side={t('merchant')}
      head={isNarrow ? <Search /> : <Head />}
      choice={isNarrow && <Switcher />}
      navigation={<Navigation />}
    />
  );
}

const Search = () => <MerchantSearch merchant_no={useMerchantNo()} />;

const Head = () => (
  <>
    <Search />
    <Switcher />
  </>
);

/** The way to each screen. Notification settings and records are under payment and settlement. */
function Navigation() {
  const merchant_no = useMerchantNo();
  const params = { merchant_no };
  return (
    <>
      <MenuLink
        to="/console/merchants/$merchant_no"
        params={params}
        activeOptions={{ exact: true }}
        label={t('home')}
        leftSection={<IconHome {...icon} />}
      />
      <MenuLink
        to="/console/merchants/$merchant_no/orders"
        params={params}
        label={t('orders')}
        leftSection={<IconShoppingCart {...icon} />}
      />
      <MenuLink
        to="/console/merchants/$merchant_no/payment-links"
        params={params}
        label={t('payment_links')}
        leftSection={<IconLink {...icon} />}
      />
      <MenuHeading>{t('payment_and_settlement')}</MenuHeading>
      <MenuLink
        to="/console/merchants/$merchant_no/wallet"
        params={params}
        label={t('wallet')}
        leftSection={<IconWallet {...icon} />}
      />
      <MenuLink
        to="/console/merchants/$merchant_no/reconciliation"
        params={params}
        label={t('reconciliation')}
        leftSection={<IconScale {...icon} />}
      />
      <MenuLink
        to="/console/merchants/$merchant_no/exports"
        params={params}
        label={t('scheduled_exports')}
        leftSection={<IconCalendarTime {...icon} />}
      />
      <MenuLink
        to="/console/merchants/$merchant_no/notification-settings"
        params={params}
        label={t('webhooks')}
        description={t('collection_status_notifications')}
        leftSection={<IconWebhook {...icon} />}
      />
      <MenuLink
        to="/console/merchants/$merchant_no/notifications"
        params={params}
        label={t('webhook_deliveries')}
        description={t('collection_notification_records')}
        leftSection={<IconListCheck {...icon} />}
      />
      <MenuHeading>{t('catalog')}</MenuHeading>
      <MenuLink
        to="/console/merchants/$merchant_no/products"
        params={params}
        label={t('products')}
        leftSection={<IconBox {...icon} />}
      />
      <MenuLink
        to="/console/merchants/$merchant_no/catalog-orders"
        params={params}
        label={t('catalog_orders')}
        leftSection={<IconShoppingBag {...icon} />}
      />
      <SetUpLinks params={params} />
    </>
  );
}

const SetUpLinks = ({ params }: { params: { merchant_no: string } }) => (
  <>
    <MenuHeading>{t('setup')}</MenuHeading>
    <MenuLink
      to="/console/merchants/$merchant_no/developers"
      params={params}
      activeOptions={{ exact: true }}
      label={t('developers')}
      leftSection={<IconCode {...icon} />}
    />
    <MenuLink
      to="/console/merchants/$merchant_no/developers/quickstart"
      params={params}
      label={t('quickstart')}
      leftSection={<IconRocket {...icon} />}
    />
    <MenuLink
      to="/console/merchants/$merchant_no/developers/requests"
      params={params}
      label={t('api_requests')}
      leftSection={<IconListSearch {...icon} />}
    />
    <MenuLink
      to="/console/merchants/$merchant_no/settings"
      params={params}
      label={t('settings')}
      leftSection={<IconAdjustments {...icon} />}
    />
    <MenuLink
      to="/console/merchants/$merchant_no/activity"
      params={params}
      label={t('activity')}
      leftSection={<IconHistory {...icon} />}
    />
  </>
);
