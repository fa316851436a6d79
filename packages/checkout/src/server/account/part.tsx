/** A part of the account page. */
import type { ComponentChildren } from 'preact';

export function Part({ id, title, children }: { id: string; title: string; children: ComponentChildren }) {
  return (
    <section class="panel words" aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {children}
    </section>
  );
}
