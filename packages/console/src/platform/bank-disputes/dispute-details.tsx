/** One dispute: its deadline, the form for evidence, and what was sent and when. */
import type { DisputeTextField } from '@paydesk/contract';
import { Group, List, Paper, Stack, Text, Title } from '@mantine/core';
import { IconPaperclip, IconSend } from '@tabler/icons-react';
import { adminCall, type Dispute } from '../../api/admin.ts';
import { part } from '../../api/call.ts';
import { textOf } from '../../components/dialog/fields.ts';
import { Identifier } from '../../components/values/copy-button.tsx';
import { Facts } from '../../components/values/facts.tsx';
import { Amount } from '../../components/values/money.tsx';
import { RawJson } from '../../components/values/raw-json.tsx';
import { Status, words } from '../../components/values/status.tsx';
import { MarkedStatus } from '../../components/values/test-mark.tsx';
import { Time } from '../../components/values/time.tsx';
import { PlatformAction } from '../allowed.tsx';
import { OrderLink } from '../orders/order-link.tsx';
import { Actor } from '../people/actor.tsx';
import { Due, urgencyOf } from './due.tsx';
import { evidenceFields, evidenceOf, fileChoices, fileNames, nameOfText } from './evidence-fields.ts';
import { textsOf } from '../../texts/texts.ts';

const t = textsOf('platform-disputes');

/** The service takes no larger file. */
const mostBytes = 4_500_000;

export function DisputeDetails({ of }: { of: Dispute }) {
  const { amount, currency, order_no, stage } = of;
  return (
    <Stack gap="lg">
      <Facts
        of={[
          [t('status'), <MarkedStatus key="state" value={of.state} test={of.test_mode} />],
          [t('evidence_due'), <Due key="due" at={of.due_by} waits={stage === 'to_answer'} />],
          [
            t('amount'),
            amount === null ? undefined : <Amount key="amount" amount={amount} currency={currency} />,
          ],
          [t('reason'), words(of.reason)],
          [t('order'), order_no === null ? undefined : <OrderLink key="order" order_no={order_no} />],
          [t('dispute'), <Identifier key="dispute" value={of.dispute_id} name={t('dispute_id')} />],
          [t('opened'), <Time key="opened" at={of.opened_at} />],
          [t('provider_asked'), <Time key="seen" at={of.seen_at} show="ago" />],
        ]}
      />
      {of.takes_evidence && <Answer of={of} />}
      <div>
        <Title order={3} size="h5" mb="xs">
          {t('sent_evidence')}
        </Title>
        {of.evidence.length === 0 ? (
          <Text size="sm" c="dimmed">
            {of.submissions > 0 ? t('evidence_was_sent_in_the_providers') : t('nothing_was_sent_yet')}
          </Text>
        ) : (
          <Stack gap="sm">
            {of.evidence.map((one) => (
              <Sent key={one.evidence_id} of={one} />
            ))}
          </Stack>
        )}
      </div>
      <RawJson value={of} name={t('dispute_as_json')} />
    </Stack>
  );
}

const isOver = ({ due_by }: Dispute): boolean => due_by !== null && urgencyOf(new Date(due_by)) === 'over';

/** The files that are ready, and the actions: to add one, and to send all. */
function Answer({ of }: { of: Dispute }) {
  const path = `/disputes/${part(of.dispute_id)}`;
  return (
    <Stack gap="sm">
      {of.files.length > 0 && (
        <List size="sm" icon={<IconPaperclip size={15} aria-hidden />} center>
          {of.files.map(({ field, size, uploaded_at }) => (
            <List.Item key={field}>
              {t('file_of_kb', { file: fileNames[field], kb: Math.ceil(size / 1_000) })} ·{' '}
              <Time at={uploaded_at} show="ago" />
            </List.Item>
          ))}
        </List>
      )}
      <Group gap="xs">
        <PlatformAction
          allows="cases"
          label={t('send_evidence')}
          variant="filled"
          icon={<IconSend size={16} />}
          title={t('send_evidence')}
          confirm={t('send_to_the_bank')}
          fields={evidenceFields(of)}
          consequences={() => [
            // D-553
            ...(isOver(of) ? [t('the_deadline_has_passed')] : []),
            t('the_bank_gets_it_at_once'),
            t('evidence_cannot_be_changed_after'),
          ]}
          submit={(values) => adminCall<Dispute>('POST', `${path}/evidence`, { body: evidenceOf(values) })}
          done={({ evidence: [latest] }) =>
            latest?.status === 'sent' ? t('evidence_sent') : t('evidence_on_its_way')
          }
        />
        <PlatformAction
          allows="cases"
          label={t('add_a_file')}
          icon={<IconPaperclip size={16} />}
          title={t('add_a_file')}
          confirm={t('upload')}
          fields={[
            {
              name: 'field',
              label: t('what_it_shows'),
              kind: 'choice',
              required: true,
              choices: fileChoices,
            },
            {
              name: 'content',
              label: t('file'),
              kind: 'file',
              required: true,
              about: t('pdf_jpeg_or_png_at_most'),
              accept: 'application/pdf,image/jpeg,image/png',
              max_bytes: mostBytes,
            },
          ]}
          consequences={() => [t('the_provider_keeps_the_file')]}
          submit={(values) =>
            adminCall('POST', `${path}/files`, {
              body: {
                field: textOf(values, 'field'),
                // The form holds a `data:` address; the base64 begins after its comma.
                content: textOf(values, 'content').split(',', 2)[1] ?? '',
              },
            })
          }
          done={() => t('file_uploaded')}
        />
      </Group>
    </Stack>
  );
}

function Sent({ of }: { of: Dispute['evidence'][number] }) {
  const texts = Object.entries(of.texts) as [DisputeTextField, string][];
  return (
    <Paper className="panel" p="md">
      <Group justify="space-between" mb="sm">
        <Status value={of.status} />
        <Text size="sm" c="dimmed" component="div">
          <Actor of={of.asked_by} /> · <Time at={of.asked_at} />
        </Text>
      </Group>
      {of.status !== 'sent' && (
        <Text size="sm" mb="sm">
          {of.status === 'sending'
            ? t('it_is_repeated_until_the_provider')
            : t('the_provider_refused_it', { why: of.detail })}
        </Text>
      )}
      <Facts
        of={[
          ...texts.map(
            ([field, text]) =>
              [
                nameOfText(field),
                <span key={field} className="wrap">
                  {text}
                </span>,
              ] as const,
          ),
          ...of.files.map(
            ({ field, size }) => [fileNames[field], t('kb', { kb: Math.ceil(size / 1_000) })] as const,
          ),
        ]}
      />
    </Paper>
  );
}
