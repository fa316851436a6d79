/** The notes of the merchant's people on an order. */
import { Group, Stack, Text } from '@mantine/core';
import { IconNote, IconTrash } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { answerOf, api } from '../../api/client.ts';
import { sessionQuery } from '../../api/session.ts';
import { ActionButton } from '../../components/dialog/action-dialog.tsx';
import { textOf } from '../../components/dialog/fields.ts';
import { Empty, Loaded } from '../../components/page/loaded.tsx';
import { Panel } from '../../components/page/panel.tsx';
import { Time } from '../../components/values/time.tsx';
import { useMayWrite, useOwnMerchant } from '../merchant-no.ts';
import { textsOf } from '../../texts/texts.ts';

const t = textsOf('orders');

const path = '/console/v1/merchants/{merchant_no}/collection-orders/{order_no}/notes';

interface OfOrder {
  merchant_no: string;
  order_no: string;
}

export function NotesPanel({ merchant_no, order_no }: OfOrder) {
  const mayWrite = useMayWrite('notes');
  const isOwner = useOwnMerchant()?.role === 'owner';
  const me = useQuery(sessionQuery).data?.user_id;
  const params = { path: { merchant_no, order_no } };
  const key = ['merchant', merchant_no, 'notes', order_no];
  const notes = useQuery({
    queryKey: key,
    queryFn: ({ signal }) => answerOf(api.GET(path, { params, signal })),
  });
  return (
    <Panel
      title={t('notes')}
      about={t('only_your_team_can_see_notes')}
      actions={
        mayWrite && (
          <ActionButton
            label={t('add_note')}
            icon={<IconNote size={16} />}
            title={t('add_note')}
            confirm={t('save')}
            refresh={key}
            fields={[{ name: 'text', label: t('note'), kind: 'lines', required: true }]}
            submit={(values) => answerOf(api.POST(path, { params, body: { text: textOf(values, 'text') } }))}
            done={() => t('saved')}
          />
        )
      }
    >
      <Loaded of={notes}>
        {({ items }) =>
          items.length === 0 ? (
            <Empty title={t('no_notes_yet')}>{t('write_down_what_the_team')}</Empty>
          ) : (
            <Stack gap="sm">
              {items.map((note) => (
                <Group key={note.note_id} justify="space-between" align="flex-start" wrap="nowrap">
                  <div>
                    <Text style={{ whiteSpace: 'pre-line' }}>
                      <span className="wrap">{note.text}</span>
                    </Text>
                    <Text size="xs" c="dimmed">
                      {note.author.name} · <Time at={note.created_at} />
                    </Text>
                  </div>
                  {mayWrite && (isOwner || note.author.user_id === me) && (
                    <Remove merchant_no={merchant_no} order_no={order_no} note_id={note.note_id} />
                  )}
                </Group>
              ))}
            </Stack>
          )
        }
      </Loaded>
    </Panel>
  );
}

const Remove = ({ merchant_no, order_no, note_id }: OfOrder & { note_id: string }) => (
  <ActionButton
    label={t('delete')}
    size="xs"
    color="red"
    icon={<IconTrash size={14} />}
    title={t('delete_this_note')}
    confirm={t('delete')}
    danger
    refresh={['merchant', merchant_no, 'notes', order_no]}
    consequences={() => [t('the_text_is_deleted_for_good')]}
    submit={() =>
      answerOf(api.DELETE(`${path}/{note_id}`, { params: { path: { merchant_no, order_no, note_id } } }))
    }
    done={() => t('deleted')}
  />
);
