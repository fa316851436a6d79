/** Finds orders, merchants, people, products, webhook events and API requests of the whole platform. */
import {
  IconBox,
  IconBuildingStore,
  IconListSearch,
  IconShoppingBag,
  IconShoppingCart,
  IconUser,
  IconWebhook,
} from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { adminCall } from '../api/admin.ts';
import { SearchBox } from '../shell/search-box.tsx';
import type { Found, SearchProps } from '../shell/search.tsx';
import { textsOf } from '../texts/texts.ts';

const t = textsOf('platform');

const icon = { size: 18, stroke: 1.7 } as const;
const groups: SearchProps['groups'] = [
  ['order', t('orders'), <IconShoppingCart key="order" {...icon} />],
  ['catalog_order', t('product_orders'), <IconShoppingBag key="catalog_order" {...icon} />],
  ['event', t('webhook_events'), <IconWebhook key="event" {...icon} />],
  ['merchant', t('merchants'), <IconBuildingStore key="merchant" {...icon} />],
  ['person', t('people'), <IconUser key="person" {...icon} />],
  ['product', t('products'), <IconBox key="product" {...icon} />],
  ['request', t('api_requests'), <IconListSearch key="request" {...icon} />],
];

export const PlatformSearch = () => (
  <SearchBox
    name={['platform']}
    placeholder={t('search_the_platform')}
    groups={groups}
    find={(q, signal) => adminCall<{ items: Found[] }>('GET', '/search', { query: { q }, signal })}
    open={useOpen()}
  />
);

/** Opens what was found: a product or an API request at its merchant. */
function useOpen(): (found: Found) => void {
  const navigate = useNavigate();
  return ({ kind, id, merchant_no = id }) => {
    switch (kind) {
      case 'catalog_order':
        return void navigate({ to: '/platform/catalog-orders/$order_no', params: { order_no: id } });
      case 'merchant':
      case 'product':
      case 'request':
        return void navigate({ to: '/platform/merchants/$merchant_no', params: { merchant_no } });
      case 'person':
        return void navigate({ to: '/platform/people', search: { q: id } });
      default:
        return void navigate({ to: '/platform/orders/$order_no', params: { order_no: id } });
    }
  };
}
