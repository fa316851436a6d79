import { Avatar, UnstyledButton, type UnstyledButtonProps } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ComponentPropsWithRef, useState } from 'react';
import { sessionQuery } from '../api/session.ts';
import { useLater, useLoaded } from './load-later.ts';
import { initialsOf } from './initials.ts';
import { textsOf } from '../texts/texts.ts';

const t = textsOf('core');

const load = () => import('./person-menu-list.tsx');

/** The menu of the signed-in person. It is loaded after the figures, or when it is opened. */
export function PersonMenu() {
  const { data: person } = useQuery(sessionQuery);
  const [asked, setAsked] = useState(false);
  const [focused, setFocused] = useState(false);
  const later = useLater();
  const menu = useLoaded(load, later || asked);
  if (person === undefined) return null;
  if (menu !== null) {
    return <menu.PersonMenuList person={person} opened={asked} focused={focused} />;
  }
  return (
    <PersonButton
      name={person.name}
      aria-haspopup="menu"
      aria-expanded={false}
      onClick={() => setAsked(true)}
      onFocus={() => setFocused(true)}
      onBlur={() => setFocused(false)}
    />
  );
}

/** The button of the menu: the initials. */
export function PersonButton({
  name,
  ...props
}: { name: string } & Omit<ComponentPropsWithRef<'button'>, keyof UnstyledButtonProps>) {
  const initials = initialsOf(name, 2);
  return (
    <UnstyledButton {...props} aria-label={t('initials_account_of_name', { initials, name })}>
      <Avatar color="brand" radius="xl" size={34}>
        {initials}
      </Avatar>
    </UnstyledButton>
  );
}
