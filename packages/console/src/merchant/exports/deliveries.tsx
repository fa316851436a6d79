/** The deliveries of a scheduled export, with the files. */
import { Anchor, Group, Text } from '@mantine/core';
import { addressOf } from '../../api/call.ts';
import { merchantPath, type StatementExport, type StatementExports } from '../../api/merchants.ts';
import { type Column, DataTable } from '../../components/list/data-table.tsx';
import { Empty } from '../../components/page/loaded.tsx';
import { answerWords } from '../../components/values/delivery.tsx';
import { Status } from '../../components/values/status.tsx';
import { Time } from '../../components/values/time.tsx';
import { language } from '../../texts/language.ts';
import { textsOf } from '../../texts/texts.ts';

const t = textsOf('wallet');

type Delivery = StatementExport['deliveries'][number];

interface DeliveriesProps {
  of: StatementExport;
  recipients: StatementExports['recipients'];
  merchant_no: string;
  /** Tells the tables of a page apart. */
  number: number;
}

export const Deliveries = ({ of, recipients, merchant_no, number }: DeliveriesProps) => (
  <DataTable
    name={`${t('deliveries')} ${number}`}
    columns={columnsOf(recipients, merchant_no)}
    rows={of.deliveries}
    rowKey={({ period, time_zone, user_id }) => `${period} ${time_zone} ${user_id ?? ''}`}
    empty={<Empty title={t('nothing_sent_yet')} />}
  />
);

function columnsOf(recipients: StatementExports['recipients'], merchant_no: string): Column<Delivery>[] {
  const nameOf = ({ user_id }: Delivery): string =>
    user_id === null
      ? t('https_address')
      : (recipients.find((one) => one.user_id === user_id)?.email ?? t('former_member'));
  return [
    { header: t('period'), cell: ({ period }) => period },
    { header: t('recipient'), wide: true, cell: nameOf },
    { header: t('status'), cell: (one) => <Outcome of={one} /> },
    { header: t('sent'), cell: ({ sent_at }) => <Time at={sent_at} /> },
    { header: t('next_attempt'), cell: ({ next_attempt_at }) => <Time at={next_attempt_at} /> },
    { header: t('file'), cell: (one) => <Files of={one} merchant_no={merchant_no} /> },
  ];
}

function Outcome({ of }: { of: Delivery }) {
  const answer = answerWords(of);
  return (
    <Group gap={6} wrap="nowrap">
      <Status value={of.status} />
      {answer !== null && (
        <Text size="xs" c="dimmed" className="wrap">
          {answer}
        </Text>
      )}
    </Group>
  );
}

const kinds = ['csv', 'pdf'] as const;

function Files({ of, merchant_no }: { of: Delivery; merchant_no: string }) {
  const { period, time_zone } = of;
  return (
    <Group gap={8} wrap="nowrap">
      {kinds.map((kind) => (
        <Anchor
          key={kind}
          size="sm"
          href={addressOf(merchantPath(merchant_no, `/statements/${period}/statement.${kind}`), {
            ...{ time_zone, language },
          })}
          download
        >
          {kind.toUpperCase()}
        </Anchor>
      ))}
    </Group>
  );
}
