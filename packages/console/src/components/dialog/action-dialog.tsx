import {
  Alert,
  Button,
  Checkbox,
  Group,
  List,
  Modal,
  MultiSelect,
  PasswordInput,
  Select,
  Stack,
  Switch,
  TagsInput,
  Text,
  Textarea,
  TextInput,
} from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, type SyntheticEvent, useEffect, useState } from 'react';
import { ApiError, messageOf } from '../../api/api-error.ts';
import { type Choice, type Finder, FindOne, FindSome } from './finder.tsx';

/** What a field holds: texts, or a list of them, or yes and no. */
export type Value = string | boolean | string[];
export type Values = Readonly<Record<string, Value>>;

export interface Field {
  name: string;
  label: string;
  about?: string;
  kind?:
    'text' | 'lines' | 'password' | 'choice' | 'choices' | 'tags' | 'switch' | 'check' | 'time' | 'number';
  choices?: readonly Choice[];
  /** What finds the choices where there are too many to list. */
  finder?: Finder;
  initial?: Value;
  required?: boolean;
  placeholder?: string;
  /** Shown only where it matters. */
  when?: (values: Values) => boolean;
  /** What is wrong with a value, in words; null where nothing is. */
  check?: (value: Value, values: Values) => string | null;
  /** Behind the field: a currency. */
  unit?: string;
}

interface ActionProps<T> {
  title: string;
  /** One sentence above the fields. */
  about?: ReactNode;
  fields?: readonly Field[];
  /** What happens when it is confirmed, line by line: shown before any money moves. */
  consequences?: (values: Values) => readonly ReactNode[];
  /** What the button says: a verb. */
  confirm: string;
  danger?: boolean;
  submit: (values: Values) => Promise<T>;
  /** What to say afterwards; the dialog closes. */
  done?: (answer: T, values: Values) => string;
  /** Shown in the dialog afterwards, instead of closing it: a secret that is seen once. */
  result?: (answer: T) => ReactNode;
  /** Which queries are read again; all by default. */
  refresh?: readonly unknown[];
}

interface DialogProps<T> extends ActionProps<T> {
  opened: boolean;
  onClose: () => void;
}

/** A dialog that does one thing: asks for what is missing, says what will happen, does it, says how it went. */
export function ActionDialog<T>({ opened, onClose, title, ...rest }: DialogProps<T>) {
  const [busy, setBusy] = useState(false);
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={<Text fw={650}>{title}</Text>}
      size="lg"
      closeOnClickOutside={false}
      closeOnEscape={!busy}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      {opened && <DialogBody {...rest} onClose={onClose} onBusy={setBusy} />}
    </Modal>
  );
}

interface ActionButtonProps<T> extends ActionProps<T> {
  label: string;
  icon?: ReactNode;
  variant?: string;
  color?: string;
  size?: string;
  disabled?: boolean;
}

/** A button that opens such a dialog. */
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
      >
        {label}
      </Button>
      <ActionDialog {...dialog} opened={opened} onClose={close} />
    </>
  );
}

const noFields: readonly Field[] = [];

type BodyProps<T> = Omit<ActionProps<T>, 'title'> & { onClose: () => void; onBusy: (busy: boolean) => void };

function DialogBody<T>(props: BodyProps<T>) {
  const {
    about,
    fields = noFields,
    consequences,
    confirm,
    danger = false,
    submit,
    done,
    result,
    refresh,
  } = props;
  const { onClose, onBusy } = props;
  const queries = useQueryClient();
  const [values, setValues] = useState<Values>(() =>
    Object.fromEntries(fields.map((field) => [field.name, field.initial ?? emptyOf(field)])),
  );
  const [wrong, setWrong] = useState<Readonly<Record<string, string>>>({});
  const shown = fields.filter(({ when }) => when?.(values) !== false);
  const stale = refresh === undefined ? {} : { queryKey: refresh };
  const action = useMutation({
    mutationFn: () => submit(values),
    onMutate: () => onBusy(true),
    onSettled: () => onBusy(false),
    onSuccess: async (answer) => {
      if (result !== undefined) return;
      await queries.invalidateQueries(stale);
      notifications.show({ color: 'teal', message: done?.(answer, values) ?? 'Done.' });
      onClose();
    },
    onError: (error) => {
      if (error instanceof ApiError && error.field !== null) {
        const name = error.field.split(/[./]/).findLast((part) => shown.some((field) => field.name === part));
        if (name !== undefined) setWrong({ [name]: error.message });
      }
    },
  });

  // What the dialog belongs to may be gone once it is read anew: a secret that is seen once stays until it is closed.
  const isResult = action.isSuccess && result !== undefined;
  const staleKey = JSON.stringify(stale);
  useEffect(() => {
    if (!isResult) return undefined;
    return () => void queries.invalidateQueries(JSON.parse(staleKey) as typeof stale);
  }, [isResult, queries, staleKey]);

  function onSubmit(event: SyntheticEvent): void {
    event.preventDefault();
    const found = Object.fromEntries(
      shown.flatMap((field) => {
        const problem = problemOf(field, values);
        return problem === null ? [] : [[field.name, problem]];
      }),
    );
    setWrong(found);
    if (Object.keys(found).length === 0) action.mutate();
  }

  if (action.isSuccess && result !== undefined) {
    return (
      <Stack>
        {result(action.data)}
        <Group justify="flex-end">
          <Button onClick={onClose}>Done</Button>
        </Group>
      </Stack>
    );
  }
  const lines = consequences?.(values) ?? [];
  return (
    <form onSubmit={onSubmit} noValidate>
      <Stack>
        {about !== undefined && (
          <Text size="sm" c="dimmed" component="div">
            {about}
          </Text>
        )}
        {shown.map((field) => (
          <FieldInput
            key={field.name}
            field={field}
            value={values[field.name] ?? ''}
            error={wrong[field.name]}
            onChange={(value) => {
              setValues({ ...values, [field.name]: value });
              setWrong({});
            }}
          />
        ))}
        {lines.length > 0 && (
          <Alert color={danger ? 'red' : 'brand'} variant="light" title="What will happen">
            <List size="sm" spacing={4}>
              {lines.map((line, index) => (
                <List.Item key={index}>{line}</List.Item>
              ))}
            </List>
          </Alert>
        )}
        {action.isError && Object.keys(wrong).length === 0 && (
          <Alert color="red" role="alert" icon={<IconAlertTriangle size={18} />} title="Not done">
            {messageOf(action.error)}
          </Alert>
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose} disabled={action.isPending}>
            Cancel
          </Button>
          <Button type="submit" color={danger ? 'red' : undefined} loading={action.isPending}>
            {confirm}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function emptyOf({ kind }: Field): Value {
  if (kind === 'switch' || kind === 'check') return false;
  return kind === 'choices' || kind === 'tags' ? [] : '';
}

function problemOf(field: Field, values: Values): string | null {
  const value = values[field.name] ?? '';
  const isEmpty =
    typeof value === 'string' ? value.trim() === '' : Array.isArray(value) && value.length === 0;
  if (isEmpty || value === false) return field.required === true ? 'This is needed.' : null;
  return field.check?.(value, values) ?? null;
}

interface FieldInputProps {
  field: Field;
  value: Value;
  error?: string | undefined;
  onChange: (value: Value) => void;
}

/** One field, as its kind has it. */
export function FieldInput({ field, value, error, onChange }: FieldInputProps) {
  const common = {
    label: field.label,
    description: field.about,
    error,
    withAsterisk: field.required,
    name: field.name,
  };
  const typed = {
    ...common,
    placeholder: field.placeholder,
    value: String(value),
    onChange: (event: { currentTarget: { value: string } }) => onChange(event.currentTarget.value),
  };
  const chosen = Array.isArray(value) ? value : [];
  switch (field.kind) {
    case 'lines':
      return <Textarea {...typed} autosize minRows={3} maxRows={12} />;
    case 'password':
      // Which of its parts is wrong the component leaves unsaid.
      return <PasswordInput {...typed} aria-invalid={error !== undefined} autoComplete="new-password" />;
    case 'choice':
      if (field.finder !== undefined) {
        return (
          <FindOne
            {...common}
            finder={field.finder}
            value={value === '' ? null : String(value)}
            onChange={(picked) => onChange(picked ?? '')}
            placeholder={field.placeholder ?? 'Type to find'}
          />
        );
      }
      return (
        <Select
          {...common}
          data={[...(field.choices ?? [])]}
          value={value === '' ? null : String(value)}
          onChange={(picked) => onChange(picked ?? '')}
          searchable={(field.choices?.length ?? 0) > 8}
          placeholder={field.placeholder ?? 'Choose'}
        />
      );
    case 'choices':
      if (field.finder !== undefined) {
        return (
          <FindSome
            {...common}
            finder={field.finder}
            value={chosen}
            onChange={onChange}
            placeholder={field.placeholder ?? 'Type to find'}
          />
        );
      }
      return (
        <MultiSelect
          {...common}
          data={[...(field.choices ?? [])]}
          value={chosen}
          onChange={onChange}
          searchable
          clearable
          clearButtonProps={{ 'aria-label': `Clear ${field.label}` }}
        />
      );
    case 'tags':
      return <TagsInput {...common} value={chosen} onChange={onChange} placeholder={field.placeholder} />;
    case 'switch':
      return (
        <Switch
          {...common}
          checked={value === true}
          onChange={(event) => onChange(event.currentTarget.checked)}
        />
      );
    case 'check':
      return (
        <Checkbox
          {...common}
          checked={value === true}
          onChange={(event) => onChange(event.currentTarget.checked)}
        />
      );
    case 'time':
      return <TextInput {...typed} type="datetime-local" />;
    case 'number':
      return <TextInput {...typed} inputMode="numeric" />;
    case 'text':
    case undefined:
      return (
        <TextInput
          {...typed}
          rightSection={field.unit === undefined ? undefined : <Text size="xs">{field.unit}</Text>}
          rightSectionWidth={field.unit === undefined ? undefined : 52}
        />
      );
  }
}
