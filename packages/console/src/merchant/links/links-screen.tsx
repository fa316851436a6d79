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
      title="Payment links"
      about="An address that you send, print or post. Each buyer who continues there gets an order of their own."
      actions={mayWrite && <NewLink merchant_no={merchant_no} />}
    >
      <DataTable
        name="Payment links"
        columns={columnsOf(merchant_no, mayWrite)}
        rows={list.rows}
        list={list}
        rowKey={({ link }) => link}
        empty={<Empty title="No payment links yet">Create one to be paid without a shop or a program.</Empty>}
      />
    </Page>
  );
}

const columnsOf = (merchant_no: string, mayWrite: boolean): Column<PaymentLink>[] => [
  {
    header: 'Link',
    wide: true,
    cell: ({ url, description, external_reference }) => (
      <Group gap={4} wrap="nowrap">
        <Anchor href={url} target="_blank" rel="noreferrer" fw={600} size="sm" className="wrap">
          {description === '' ? external_reference : description}
        </Anchor>
        <CopyButton value={url} label="Copy the link" />
      </Group>
    ),
  },
  { header: 'Status', cell: ({ status }) => <Status value={status} /> },
  { header: 'Amount', end: true, cell: (link) => <LinkAmount link={link} /> },
  {
    header: 'Orders',
    end: true,
    cell: ({ uses, max_uses, external_reference }) => (
      <AppLink
        to="/console/merchants/$merchant_no/orders"
        params={{ merchant_no }}
        search={{ q: external_reference }}
        size="sm"
      >
        {max_uses === null ? uses : `${uses} of ${max_uses}`}
      </AppLink>
    ),
  },
  { header: 'Until', cell: ({ expires_at }) => <Time at={expires_at} /> },
  { header: 'Created', cell: ({ created_at }) => <Time at={created_at} show="day" /> },
  ...(mayWrite
    ? [
        {
          header: 'Change',
          cell: (link: PaymentLink) =>
            link.status === 'active' ? <Close link={link} merchant_no={merchant_no} /> : <>–</>,
        },
      ]
    : []),
];

function LinkAmount({ link }: { link: PaymentLink }) {
  const { amount, min_amount, max_amount, currency } = link;
  if (amount !== null) return <Amount amount={amount} currency={currency} />;
  if (min_amount === null && max_amount === null) return <>Open, in {currency}</>;
  return (
    <>
      {min_amount === null ? 'Up to ' : <Amount amount={min_amount} currency={currency} />}
      {min_amount !== null && (max_amount === null ? ' or more' : ' to ')}
      {max_amount !== null && <Amount amount={max_amount} currency={currency} />}
    </>
  );
}

const Close = ({ link, merchant_no }: { link: PaymentLink; merchant_no: string }) => (
  <ActionButton
    label="Close link"
    size="xs"
    color="red"
    title="Close this payment link"
    confirm="Close the link"
    danger
    refresh={['merchant', merchant_no, 'links']}
    consequences={() => [
      'Its page says that the link has ended. It cannot be opened again.',
      'Orders that it has made can still be paid until their time is over.',
    ]}
    submit={() =>
      answerOf(
        api.DELETE('/console/v1/merchants/{merchant_no}/payment-links/{link}', {
          params: { path: { merchant_no, link: link.link } },
        }),
      )
    }
    done={() => 'Closed.'}
  />
);
