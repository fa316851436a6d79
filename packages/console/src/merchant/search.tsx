/** Finds orders, products, people, webhook events and API requests of this merchant. */
import { IconBox, IconListSearch, IconShoppingCart, IconUser, IconWebhook } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { answerOf, api } from '../api/client.ts';
import { SearchBox } from '../shell/search-box.tsx';
import type { Found, SearchProps } from '../shell/search.tsx';
import { textsOf } from '../texts/texts.ts';

const t = textsOf('merchant');

const icon = { size: 18, stroke: 1.7 } as const;
const groups: SearchProps['groups'] = [
  ['order', t('orders'), <IconShoppingCart key="order" {...icon} />],
  ['event', t('webhook_events'), <IconWebhook key="event" {...icon} />],
  ['product', t('products'), <IconBox key="product" {...icon} />],
  ['person', t('team'), <IconUser key="person" {...icon} />],
  ['request', t('api_requests'), <IconListSearch key="request" {...icon} />],
];

export const MerchantSearch = ({ merchant_no }: { merchant_no: string }) => (
  <SearchBox
    name={['merchant', merchant_no]}
    placeholder={t('search_orders_products_team_api_requests')}
    groups={groups}
    find={(q, signal) =>
      answerOf(
        api.GET('/console/v1/merchants/{merchant_no}/search', {
          params: { path: { merchant_no }, query: { q } },
          signal,
        }),
      )
    }
    open={useOpen(merchant_no)}
  />
);

/** Opens what was found. */
function useOpen(merchant_no: string): (found: Found) => void {
  const navigate = useNavigate();
  return ({ kind, id }) => {
    const base = '/console/merchants/$merchant_no';
    switch (kind) {
      case 'product':
        return void navigate({ to: `${base}/products/$gd_no`, params: { merchant_no, gd_no: id } });
      case 'person':
        return void navigate({ to: `${base}/settings`, params: { merchant_no } });
      case 'request':
        return void navigate({
          to: `${base}/developers/requests`,
          params: { merchant_no },
          search: { request_id: id },
        });
      default:
        return void navigate({ to: `${base}/orders/$order_no`, params: { merchant_no, order_no: id } });
    }
  };
}
