/** The dialog for one action: every change in the consoles goes through it. */
import { Alert, Button, Group, List, Modal, Stack, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useDisclosure } from '@mantine/hooks';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { ApiError, messageOf } from '../../api/api-error.ts';
import { Refused } from '../page/refused.tsx';
import { FieldInput } from './field-input.tsx';
import { notice } from './notice.ts';
import {
  errorsOf,
  type Field,
  initialValuesOf,
  shownFields,
  toldAt,
  type Values,
  withPoints,
} from './fields.ts';
import { takeFocus } from './take-focus.ts';
import { useEscape } from './use-escape.ts';
import { textsOf } from '../../texts/texts.ts';

const t = textsOf('core');

interface ActionProps<T> {
  title: string;
  /** One sentence above the fields. */
  about?: ReactNode;
  fields?: readonly Field[];
  /** The effects of confirming, line by line: shown before money moves. */
  consequences?: (values: Values) => readonly ReactNode[];
  /** The button's text: a verb. */
  confirm: string;
  danger?: boolean;
  /** `initial`: what the dialog has opened with. What it was made from may have been read again since (D-1177). */
  submit: (values: Values, initial: Values) => Promise<T>;
  /** The message shown after success; the dialog closes. A warning: the service did what it could, and it was not enough. */
  done?: (answer: T, values: Values) => string | { warning: string };
  /** Shown in the dialog after success instead of closing it: a secret that is seen once. */
  result?: (answer: T) => ReactNode;
  /** The key of the queries that are read again after success; all by default. */
  refresh?: readonly unknown[];
}

interface DialogProps<T> extends ActionProps<T> {
  opened: boolean;
  onClose: () => void;
}

/** A dialog for one action: it asks for its values, says what will happen, does it, and says whether it worked. */
export function ActionDialog<T>({ opened, onClose, title, ...rest }: DialogProps<T>) {
  const [busy, setBusy] = useState(false);
  useEscape(opened, () => {
    if (!busy) onClose();
  });
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={<Text fw={650}>{title}</Text>}
      size="lg"
      closeOnClickOutside={false}
      closeOnEscape={false}
      closeButtonProps={{ 'aria-label': t('close') }}
    >
      {opened && <DialogBody {...rest} onClose={onClose} onBusy={setBusy} />}
    </Modal>
  );
}

export interface ActionButtonProps<T> extends ActionProps<T> {
  label: string;
  icon?: ReactNode;
  variant?: string;
  color?: string;
  size?: string;
  disabled?: boolean;
}

/** A button that opens an `ActionDialog`. */
export function ActionButton<T>(props: ActionButtonProps<T>) {
  const { label, icon, variant = 'default', color, size, disabled, ...dialog } = props;
  const [opened, { open, close }] = useDisclosure(false);
  return (
    <>
      <Button
        variant={variant}
        color={color}
        size={size}
        leftSection={icon}
        onClick={open}
        disabled={disabled}
        aria-haspopup="dialog"
      >
        {label}
      </Button>
      <ActionDialog {...dialog} opened={opened} onClose={close} />
    </>
  );
}

const noFields: readonly Field[] = [];

type BodyProps<T> = Omit<ActionProps<T>, 'title'> & { onClose: () => void; onBusy: (busy: boolean) => void };

/**
 * The form of the dialog. It is sent only if nothing is missing in it (D-691), and after a refusal it keeps what
 * was entered (D-981), and what is wrong has the focus (D-1310). After success, a result takes the form's place.
 * Mounted while the dialog is open.
 */
function DialogBody<T>(props: BodyProps<T>) {
  const { about, fields = noFields, consequences, confirm, danger = false, result, onClose } = props;
  const [initial] = useState(() => initialValuesOf(fields));
  const form = useForm<Values>({
    initialValues: initial,
    validate: (values) => errorsOf(fields, withPoints(fields, values)),
    transformValues: (values) => withPoints(fields, values),
    // A check may read the other fields, so any change may make an error out of date.
    onValuesChange: () => form.clearErrors(),
  });
  const element = useFirstWrong(form.errors);
  const shown = shownFields(fields, form.values);
  const action = useAction(props, initial, (name, message) => {
    // `paid.currency` is the field `paid_currency` (D-1327), or else `currency`.
    const names = [...name.split(/[./]/), name.replace('.', '_')];
    const refused = names.map((part) => shown.find((field) => field.name === part)).findLast(Boolean);
    if (refused !== undefined) form.setErrors({ [refused.name]: toldAt(refused, name, message) });
    return refused !== undefined;
  });

  if (action.isSuccess && result !== undefined) {
    return (
      // It takes the focus (D-442), and not its button: a second Enter would close what is shown once.
      <Stack tabIndex={-1} ref={takeFocus} style={{ outline: 'none' }}>
        {result(action.data)}
        <Group justify="flex-end">
          <Button onClick={onClose}>{t('done')}</Button>
        </Group>
      </Stack>
    );
  }
  return (
    <form ref={element} onSubmit={form.onSubmit((values) => action.mutate(values))} noValidate>
      <Stack>
        {about !== undefined && (
          <Text size="sm" c="dimmed" component="div">
            {about}
          </Text>
        )}
        {shown.map((field, index) => (
          <FieldInput key={field.name} field={field} form={form} isFirst={index === 0} />
        ))}
        <Consequences lines={consequences?.(withPoints(fields, form.values)) ?? []} danger={danger} />
        {action.isError && !action.isAtField && Object.keys(form.errors).length === 0 && (
          <Refused title={t('the_change_was_not_made')} error={action.error} isFocused />
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose} disabled={action.isPending}>
            {t('cancel')}
          </Button>
          <Button type="submit" color={danger ? 'red.9' : undefined} loading={action.isPending}>
            {confirm}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** For the form: its first wrong field takes the focus, which the button loses while it waits (D-1310). */
function useFirstWrong(errors: object) {
  const element = useRef<HTMLFormElement>(null);
  useEffect(() => {
    // A file that is too large is wrong already while other fields are filled in.
    if (Object.keys(errors).length > 0) {
      element.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus();
    }
  }, [errors]);
  return element;
}

/** Longer than a dialog takes to close, after which it gives the focus back to its button. */
const closing_ms = 400;

/** The button may be gone with its row. The keyboard then goes on in the page's content, and not at its beginning (D-551). */
function keepFocus(): void {
  if (document.activeElement === document.body) document.getElementById('content')?.focus();
}

/**
 * The dialog's call and what follows it. `onRefused` gets the field that the service named in an error, and returns
 * whether the form says the error there. The dialog does not say it again once the field has changed (D-1424).
 */
function useAction<T>(
  props: BodyProps<T>,
  initial: Values,
  onRefused: (field: string, message: string) => boolean,
) {
  const [isAtField, setAtField] = useState(false);
  const { submit, done, result, refresh, onClose, onBusy } = props;
  const queries = useQueryClient();
  const stale = refresh === undefined ? {} : { queryKey: refresh };
  const isOpen = useIsOpen();
  const action = useMutation({
    mutationFn: (values: Values) => submit(values, initial),
    onMutate: () => onBusy(true),
    onSettled: () => onBusy(false),
    onSuccess: async (answer, values) => {
      // Where the dialog was closed meanwhile, nothing shows its result.
      if (result !== undefined && isOpen.current) return;
      await queries.invalidateQueries(stale);
      const said = isWaiting(answer)
        ? { warning: t('waiting_for_approval_by_another_person') }
        : (done?.(answer, values) ?? t('done_2'));
      notice(
        typeof said === 'string'
          ? { color: 'teal', message: said }
          : { color: 'orange', message: said.warning },
      );
      // Where it was closed meanwhile, another one may be open by now (D-1221).
      if (isOpen.current) onClose();
      setTimeout(keepFocus, closing_ms);
    },
    onError: (error) => {
      // Who has closed the dialog meanwhile must not believe that it was done.
      if (!isOpen.current) {
        notice({ color: 'red', title: t('the_change_was_not_made'), message: messageOf(error) });
      }
      setAtField(
        error instanceof ApiError && error.field !== null && onRefused(error.field, messageOf(error)),
      );
    },
  });

  // Reading the queries again may unmount the dialog. While it shows a result, this waits until the dialog is closed.
  const isResult = action.isSuccess && result !== undefined;
  const staleKey = JSON.stringify(stale);
  useEffect(() => {
    if (!isResult) return undefined;
    return () => void queries.invalidateQueries(JSON.parse(staleKey) as typeof stale);
  }, [isResult, queries, staleKey]);
  return { ...action, isAtField };
}

function useIsOpen() {
  const isOpen = useRef(true);
  useEffect(() => {
    isOpen.current = true;
    return () => {
      isOpen.current = false;
    };
  }, []);
  return isOpen;
}

/** Whether the service has stored the write until another person approves it. Its answer is then not the usual one. */
const isWaiting = (answer: unknown): boolean =>
  typeof answer === 'object' && answer !== null && 'error' in answer && answer.error === 'approval_pending';

function Consequences({ lines, danger }: { lines: readonly ReactNode[]; danger: boolean }) {
  if (lines.length === 0) return null;
  return (
    <Alert color={danger ? 'red' : 'brand'} variant="light" title={t('what_will_happen')}>
      <List size="sm" spacing={4}>
        {lines.map((line, index) => (
          <List.Item key={index}>{line}</List.Item>
        ))}
      </List>
    </Alert>
  );
}
