/** A menu of actions, each with a dialog of its own: for rows with more actions than fit beside each other. */
import { Button, Menu } from '@mantine/core';
import { IconChevronDown } from '@tabler/icons-react';
import { Fragment, type ReactNode, useId, useState } from 'react';
import { ActionDialog, type ActionButtonProps } from './action-dialog.tsx';

export interface MenuAction {
  label: string;
  dialog: (opened: boolean, close: () => void) => ReactNode;
}

/** An action for an `ActionMenu`, from what an `ActionButton` takes. */
export function menuAction<T>({ label, ...dialog }: ActionButtonProps<T>): MenuAction {
  return {
    label,
    dialog: (opened, close) => <ActionDialog {...dialog} opened={opened} onClose={close} />,
  };
}

/** The menu closes when an action is chosen; when its dialog closes, the focus is at the menu's button again. */
export function ActionMenu({ label, of }: { label: string; of: readonly MenuAction[] }) {
  const [chosen, choose] = useState<string | null>(null);
  const id = useId();
  const close = (): void => {
    choose(null);
    document.getElementById(id)?.focus();
  };
  return (
    <>
      <Menu position="bottom-end" withinPortal withInitialFocusPlaceholder={false}>
        <Menu.Target>
          <Button id={id} variant="default" size="xs" rightSection={<IconChevronDown size={14} />}>
            {label}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {of.map((action) => (
            <Menu.Item key={action.label} onClick={() => choose(action.label)}>
              {action.label}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
      {of.map((action) => (
        <Fragment key={action.label}>{action.dialog(chosen === action.label, close)}</Fragment>
      ))}
    </>
  );
}
