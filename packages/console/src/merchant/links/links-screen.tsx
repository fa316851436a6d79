/** Payment links: addresses that sell without a shop. */
import { Anchor, Group } from '@mantine/core';
import { answerOf, api } from '../../api/client.ts';
import { useList } from '../../api/list.ts';
import type { PaymentLink } from '../../api/merchants.ts';
import { ActionButton } from '../../components/dialog/action-dialog.tsx';
import { type Column, DataTable } from '../../components/list/data-table.tsx';
import { AppLink } from '../../components/page/link.tsx';
import { Empty } from '../../components/page/loaded.tsx';
import { Page } from '../../components/page/page.tsx';
import { CopyButton } from '../../components/values/copy-button.tsx';
import { Amount } from '../../components/values/money.tsx';
import { Status } from '../../components/values/status.tsx';
import { Time } from '../../components/values/time.tsx';
import { useMayWrite, useMerchantNo } from '../merchant-no.ts';
import { NewLink } from './new-link.tsx';
import { textsOf } from '../../texts/texts.ts';

const t = textsOf('orders');

export function LinksScreen() {
  const merchant_no = useMerchantNo();
  const mayWrite = useMayWrite('links');
  const list = useList<PaymentLink>(['merchant', merchant_no, 'links'], (page, signal) =>
    answerOf(
      api.GET('/console/v1/merchants/{merchant_no}/payment-links', {
        params: { path: { merchant_no }, query: page },
        signal,
      }),
    ),
  );
  return (
    <Page
      title={t('payment_links')}
      about={t('a_link_that_you_send_print')}
      actions={mayWrite && <NewLink merchant_no={merchant_no} />}
    >
      <DataTable
        name={t('payment_links')}
        columns={columnsOf(merchant_no, mayWrite)}
        rows={list.rows}
        list={list}
        rowKey={({ link }) => link}
        empty={<Empty title={t('no_payment_links_yet')}>{t('create_a_payment_link_to_accept')}</Empty>}
      />
    </Page>
  );
}

const columnsOf = (merchant_no: string, mayWrite: boolean): Column<PaymentLink>[] => [
  {
    header: t('link'),
    wide: true,
    cell: ({ url, description, external_reference }) => (
      <Group gap={4} wrap="nowrap">
        <Anchor href={url} target="_blank" rel="noreferrer" fw={600} size="sm" className="wrap">
          {description === '' ? external_reference : description}
        </Anchor>
        <CopyButton value={url} label={t('copy_link')} />
      </Group>
    ),
  },
  { header: t('status'), cell: ({ status }) => <Status value={status} /> },
  { header: t('amount'), end: true, cell: (link) => <LinkAmount link={link} /> },
  {
    header: t('orders'),
    end: true,
    cell: ({ uses, max_uses, external_reference }) => (
      <AppLink
        to="/console/merchants/$merchant_no/orders"
        params={{ merchant_no }}
        search={{ q: external_reference }}
        size="sm"
      >
        {max_uses === null ? uses : t('uses_of_max_uses', { uses, max_uses })}
      </AppLink>
    ),
  },
  { header: t('expires'), cell: ({ expires_at }) => <Time at={expires_at} /> },
  { header: t('created'), cell: ({ created_at }) => <Time at={created_at} show="day" /> },
  ...(mayWrite
    ? [
        {
          header: t('actions'),
          cell: (link: PaymentLink) =>
            link.status === 'active' ? <Close link={link} merchant_no={merchant_no} /> : <>–</>,
        },
      ]
    : []),
];

function LinkAmount({ link }: { link: PaymentLink }) {
  const { amount, min_amount, max_amount, currency } = link;
  if (amount !== null) return <Amount amount={amount} currency={currency} />;
  if (min_amount === null && max_amount === null) return t('open_amount_in_currency', { currency });
  const shown = (of: string) => <Amount amount={of} currency={currency} />;
  if (min_amount === null) return t.rich('up_to_max', { max: shown(max_amount ?? '') });
  if (max_amount === null) return t.rich('min_or_more', { min: shown(min_amount) });
  return t.rich('min_to_max', { min: shown(min_amount), max: shown(max_amount) });
}

const Close = ({ link, merchant_no }: { link: PaymentLink; merchant_no: string }) => (
  <ActionButton
    label={t('close_link')}
    size="xs"
    color="red"
    title={t('close_this_payment_link')}
    confirm={t('close_the_link')}
    danger
    refresh={['merchant', merchant_no, 'links']}
    consequences={() => [t('buyers_can_no_longer_use_the'), t('orders_already_created_from_it_can')]}
    submit={() =>
      answerOf(
        api.DELETE('/console/v1/merchants/{merchant_no}/payment-links/{link}', {
          params: { path: { merchant_no, link: link.link } },
        }),
      )
    }
    done={() => t('closed')}
  />
);
