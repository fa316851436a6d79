import { AppLink } from '../../components/page/link.tsx';

/** Catalog orders have numbers of their own kind, and a screen of their own. */
export const isCatalogOrder = (order_no: string): boolean => order_no.startsWith('co_');

/** A link to an order of either kind, by its number. */
export function OrderLink({ order_no, bold = false }: { order_no: string; bold?: boolean }) {
  const props = { params: { order_no }, className: 'identifier', fw: bold ? 600 : undefined };
  return isCatalogOrder(order_no) ? (
    <AppLink to="/platform/catalog-orders/$order_no" {...props}>
      {order_no}
    </AppLink>
  ) : (
    <AppLink to="/platform/orders/$order_no" {...props}>
      {order_no}
    </AppLink>
  );
}
