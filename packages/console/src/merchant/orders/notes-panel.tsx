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
      title="Notes"
      about="Only your team sees them."
      actions={
        mayWrite && (
          <ActionButton
            label="Add a note"
            icon={<IconNote size={16} />}
            title="Add a note"
            confirm="Save"
            refresh={key}
            fields={[{ name: 'text', label: 'Note', kind: 'lines', required: true }]}
            submit={(values) => answerOf(api.POST(path, { params, body: { text: textOf(values, 'text') } }))}
            done={() => 'Saved.'}
          />
        )
      }
    >
      <Loaded of={notes}>
        {({ items }) =>
          items.length === 0 ? (
            <Empty title="No notes" />
          ) : (
            <Stack gap="sm">
              {items.map((note) => (
                <Group key={note.note_id} justify="space-between" align="flex-start" wrap="nowrap">
                  <div>
                    <Text className="wrap" style={{ whiteSpace: 'pre-line' }}>
                      {note.text}
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
    label="Delete"
    size="xs"
    color="red"
    icon={<IconTrash size={14} />}
    title="Delete this note"
    confirm="Delete"
    danger
    refresh={['merchant', merchant_no, 'notes', order_no]}
    consequences={() => ['The text is gone. The activity log keeps that you deleted a note.']}
    submit={() =>
      answerOf(api.DELETE(`${path}/{note_id}`, { params: { path: { merchant_no, order_no, note_id } } }))
    }
    done={() => 'Deleted.'}
  />
);
