/** The drawer beside a list, which shows one row in full, and the link that opens it. */
import { Anchor, Drawer, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { textsOf } from '../../texts/texts.ts';
import { useEscape } from './use-escape.ts';

const t = textsOf('core');

interface SideDrawerProps {
  opened: boolean;
  onClose: () => void;
  title: ReactNode;
  children: ReactNode;
}

export function SideDrawer({ opened, onClose, title, children }: SideDrawerProps) {
  useEscape(opened, onClose);
  return (
    <Drawer
      opened={opened}
      onClose={onClose}
      closeOnEscape={false}
      position="right"
      size="xl"
      title={<Text fw={650}>{title}</Text>}
      closeButtonProps={{ 'aria-label': t('close') }}
    >
      {children}
    </Drawer>
  );
}

/** The first cell of a row that a drawer shows in full. */
export const DrawerLink = ({ onClick, children }: { onClick: () => void; children: ReactNode }) => (
  <Anchor
    component="button"
    type="button"
    aria-haspopup="dialog"
    ta="start"
    size="sm"
    fw={600}
    onClick={onClick}
  >
    {children}
  </Anchor>
);
