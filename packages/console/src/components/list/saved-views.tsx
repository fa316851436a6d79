/** The views of a list that the person saved: open, save, rename, delete. A view is the address's parameters under a name. */
import { ActionIcon, Alert, Button, Group, Popover, Stack, Text, TextInput } from '@mantine/core';
import { IconBookmark, IconPencil, IconTrash } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { messageOf } from '../../api/api-error.ts';
import { answerOf, api, type components } from '../../api/client.ts';
import { textsOf } from '../../texts/texts.ts';
import { useView, type View } from './view-state.ts';

const t = textsOf('core');

type Saved = components['schemas']['View'];
type ViewedList = Saved['list'];

export function SavedViews({ list }: { list: ViewedList }) {
  const [opened, setOpened] = useState(false);
  const [renamed, setRenamed] = useState<string | null>(null);
  return (
    <Popover
      position="bottom-end"
      width={320}
      shadow="md"
      trapFocus
      // In a view's name the key ends the renaming alone.
      closeOnEscape={renamed === null}
      opened={opened}
      onChange={setOpened}
      onClose={() => setRenamed(null)}
    >
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
        <ViewMenu list={list} close={() => setOpened(false)} renamed={renamed} rename={setRenamed} />
      </Popover.Dropdown>
    </Popover>
  );
}

const textOf = (view: View): string => new URLSearchParams(view).toString();

interface ViewMenuProps {
  list: ViewedList;
  close: () => void;
  /** The view whose name is being changed. */
  renamed: string | null;
  rename: (view_id: string | null) => void;
}

function ViewMenu({ list, close, renamed, rename }: ViewMenuProps) {
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
  // The button that was pressed goes, and would take the focus out of the menu.
  const menu = useRef<HTMLDivElement>(null);
  const stay = (): void => menu.current?.focus();
  return (
    <Stack gap="xs" ref={menu} tabIndex={-1}>
      {items.map((one) =>
        one.view_id === renamed ? (
          <RenameView key={one.view_id} view={one} close={() => rename(null)} />
        ) : (
          <ViewRow
            key={one.view_id}
            view={one}
            isShown={one.query === textOf(view)}
            open={() => open(one)}
            rename={() => rename(one.view_id)}
            remove={() => {
              stay();
              remove.mutate(one.view_id);
            }}
          />
        ),
      )}
      {views.data !== undefined && items.length === 0 && (
        <Text size="sm" c="dimmed">
          {t('no_saved_views_yet')}
        </Text>
      )}
      {error !== null && <Alert color="red">{messageOf(error)}</Alert>}
      {renamed === null && <SaveView list={list} query={textOf(view)} taken={items} saved={stay} />}
    </Stack>
  );
}

interface ViewRowProps {
  view: Saved;
  /** Whether the list shows this view now. */
  isShown: boolean;
  open: () => void;
  rename: () => void;
  remove: () => void;
}

function ViewRow({ view: { name, view_id }, isShown, open, rename, remove }: ViewRowProps) {
  return (
    <Group gap={4} wrap="nowrap">
      <Button
        variant={isShown ? 'light' : 'subtle'}
        color="gray"
        size="xs"
        justify="flex-start"
        flex={1}
        onClick={open}
      >
        {name}
      </Button>
      <ActionIcon
        variant="subtle"
        color="gray"
        id={`rename-${view_id}`}
        aria-label={t('rename_view_name', { name })}
        onClick={rename}
      >
        <IconPencil size={15} />
      </ActionIcon>
      <ActionIcon variant="subtle" color="gray" aria-label={t('delete_view_name', { name })} onClick={remove}>
        <IconTrash size={15} />
      </ActionIcon>
    </Group>
  );
}

/** The name of a view as a field, to rename it (D-531). When it is left, the focus is at the view's button again. */
function RenameView({ view, close }: { view: Saved; close: () => void }) {
  const queries = useQueryClient();
  const { view_id } = view;
  const rename = useMutation({
    mutationFn: (name: string) =>
      answerOf(api.PATCH('/console/v1/views/{view_id}', { params: { path: { view_id } }, body: { name } })),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: ['views', view.list] });
      close();
    },
  });
  useEffect(
    () => () => void requestAnimationFrame(() => document.getElementById(`rename-${view_id}`)?.focus()),
    [view_id],
  );
  return (
    <NameForm
      label={t('name_of_the_view')}
      initial={view.name}
      action={() => t('rename_view')}
      error={rename.error}
      isPending={rename.isPending}
      submit={(name) => (name === view.name ? close() : rename.mutate(name))}
      cancel={close}
    />
  );
}

interface SaveViewProps {
  list: ViewedList;
  query: string;
  taken: readonly Saved[];
  saved: () => void;
}

/** Saves what the list shows under a name; the button says if it takes the place of a view (D-531). */
function SaveView({ list, query, taken, saved }: SaveViewProps) {
  const queries = useQueryClient();
  const [count, setCount] = useState(0);
  const save = useMutation({
    mutationFn: (name: string) => answerOf(api.PUT('/console/v1/views', { body: { list, name, query } })),
    // Not awaited: the next view may be saved before the list has come.
    onSuccess: () => void queries.invalidateQueries({ queryKey: ['views', list] }),
  });
  return (
    <NameForm
      // Empty again after each view.
      key={count}
      label={t('name_of_the_view')}
      action={(typed) => t(taken.some(({ name }) => name === typed) ? 'replace_view' : 'save_view')}
      error={save.error}
      isPending={save.isPending}
      submit={(name) =>
        save.mutate(name, {
          onSuccess: () => {
            saved();
            setCount((before) => before + 1);
          },
        })
      }
    />
  );
}

interface NameFormProps {
  label: string;
  initial?: string;
  /** The button's text for what is typed. */
  action: (typed: string) => string;
  error: unknown;
  isPending: boolean;
  submit: (name: string) => void;
  /** Called for Escape. */
  cancel?: () => void;
}

function NameForm({ label, initial = '', action, error, isPending, submit, cancel }: NameFormProps) {
  const [text, setText] = useState(initial);
  const input = useRef<HTMLInputElement>(null);
  const isChange = cancel !== undefined;
  useEffect(() => {
    if (isChange) input.current?.select();
  }, [isChange]);
  const name = text.trim();
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (name !== '') submit(name);
      }}
    >
      <Group gap="xs" align="flex-end" wrap="nowrap">
        <TextInput
          ref={input}
          label={label}
          size="xs"
          flex={1}
          maxLength={60}
          value={text}
          error={error === null ? undefined : messageOf(error)}
          onChange={(event) => setText(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key === 'Escape') cancel?.();
          }}
        />
        <Button type="submit" size="xs" loading={isPending} disabled={name === ''}>
          {action(name)}
        </Button>
      </Group>
    </form>
  );
}
