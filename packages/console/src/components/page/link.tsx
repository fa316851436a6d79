/** Links within the consoles: as text, as a button, and in the navigation. */
import {
  Anchor,
  type AnchorProps,
  Button,
  type ButtonProps,
  NavLink,
  type NavLinkProps,
} from '@mantine/core';
import { createLink } from '@tanstack/react-router';
import type { AnchorHTMLAttributes, Ref } from 'react';

type Attributes = Omit<AnchorHTMLAttributes<HTMLAnchorElement>, keyof AnchorProps> & {
  ref?: Ref<HTMLAnchorElement>;
};

/** A link as text. */
export const AppLink = createLink((props: Omit<AnchorProps, 'href'> & Attributes) => (
  <Anchor inherit {...props} />
));

/** A link that looks like a button. */
export const ButtonLink = createLink(
  ({ ref, ...props }: Omit<ButtonProps, 'href'> & Omit<Attributes, keyof ButtonProps>) => (
    <Button component="a" ref={ref} {...props} />
  ),
);

/** A link in the navigation. */
export const MenuLink = createLink(
  ({ ref, ...props }: Omit<NavLinkProps, 'href'> & Omit<Attributes, keyof NavLinkProps>) => (
    <NavLink component="a" ref={ref} {...props} />
  ),
);
