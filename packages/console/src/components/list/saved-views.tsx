/** The views of a list that the person saved: open, save, delete. A view is the address's parameters under a name. */
import { ActionIcon, Alert, Button, Group, Popover, Stack, Text, TextInput } from '@mantine/core';
import { IconBookmark, IconTrash } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { messageOf } from '../../api/api-error.ts';
import { answerOf, api, type components } from '../../api/client.ts';
import { textsOf } from '../../texts/texts.ts';
import { useView, type View } from './view-state.ts';

const t = textsOf('core');

type Saved = components['schemas']['View'];
type ViewedList = Saved['list'];

export function SavedViews({ list }: { list: ViewedList }) {
  const [opened, setOpened] = useState(false);
  return (
    <Popover position="bottom-end" width={300} shadow="md" trapFocus opened={opened} onChange={setOpened}>
      <Popover.Target>
        <Button
          variant="default"
          size="xs"
          leftSection={<IconBookmark size={15} />}
          onClick={() => setOpened((was) => !was)}
        >
          {t('saved_views')}
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label={t('saved_views')}>
        <ViewMenu list={list} close={() => setOpened(false)} />
      </Popover.Dropdown>
    </Popover>
  );
}

const textOf = (view: View): string => new URLSearchParams(view).toString();

function ViewMenu({ list, close }: { list: ViewedList; close: () => void }) {
  const [view, change] = useView();
  const queries = useQueryClient();
  const key = ['views', list];
  const views = useQuery({
    queryKey: key,
    queryFn: ({ signal }) => answerOf(api.GET('/console/v1/views', { params: { query: { list } }, signal })),
  });
  const remove = useMutation({
    mutationFn: (view_id: string) =>
      answerOf(api.DELETE('/console/v1/views/{view_id}', { params: { path: { view_id } } })),
    onSettled: () => queries.invalidateQueries({ queryKey: key }),
  });
  const open = ({ query }: Saved): void => {
    const none = Object.fromEntries(Object.keys(view).map((name) => [name, '']));
    change({ ...none, ...Object.fromEntries(new URLSearchParams(query)) });
    close();
  };
  const items = views.data?.items ?? [];
  const error = views.error ?? remove.error;
  return (
    <Stack gap="xs">
      {items.map((one) => (
        <Group key={one.view_id} gap={4} wrap="nowrap">
          <Button
            variant={one.query === textOf(view) ? 'light' : 'subtle'}
            color="gray"
            size="xs"
            justify="flex-start"
            flex={1}
            onClick={() => open(one)}
          >
            {one.name}
          </Button>
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={t('delete_view_name', { name: one.name })}
            onClick={() => remove.mutate(one.view_id)}
          >
            <IconTrash size={15} />
          </ActionIcon>
        </Group>
      ))}
      {views.data !== undefined && items.length === 0 && (
        <Text size="sm" c="dimmed">
          {t('no_saved_views_yet')}
        </Text>
      )}
      {error !== null && <Alert color="red">{messageOf(error)}</Alert>}
      <SaveView list={list} query={textOf(view)} />
    </Stack>
  );
}

function SaveView({ list, query }: { list: ViewedList; query: string }) {
  const [name, setName] = useState('');
  const queries = useQueryClient();
  const save = useMutation({
    mutationFn: () => answerOf(api.PUT('/console/v1/views', { body: { list, name: name.trim(), query } })),
    onSuccess: () => {
      setName('');
      return queries.invalidateQueries({ queryKey: ['views', list] });
    },
  });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (name.trim() !== '') save.mutate();
      }}
    >
      <Group gap="xs" align="flex-end" wrap="nowrap">
        <TextInput
          label={t('name_of_the_view')}
          size="xs"
          flex={1}
          maxLength={60}
          value={name}
          error={save.error === null ? undefined : messageOf(save.error)}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <Button type="submit" size="xs" loading={save.isPending} disabled={name.trim() === ''}>
          {t('save_view')}
        </Button>
      </Group>
    </form>
  );
}
