import type { Channel } from '../../src/channels/channel.ts';
import type { Deps, World } from './world.ts';

/** An order that the simulation knows of. */
export interface KnownOrder {
  merchant_id: string;
  order_no: string;
  /** The order's methods, so that later moves need no look-up. */
  methods: readonly { method_id: string; provider: string }[];
  /** Whom a catalog order or a top-up belongs to; null where anybody may pay. */
  user_id: string | null;
}

/** A course of action, as one process takes it. */
export type Work = (deps: Deps) => Promise<unknown>;

/** The records that the moves of one seed have created so far. */
export interface Story {
  world: World;
  orders: KnownOrder[];
  references: number;
  /** Requests that can be repeated under their reference, newest last. */
  repeatable: Work[];
  /** How often codes were taken in. */
  uploads: number;
  /** How many of the provider's events have been delivered, in the order they happened. */
  told: number;
  /** The channels whose accounts the provider's events belong to, by event. */
  accounts: Map<string, Channel>;
  /** Slow work at the provider, so that moves know whether there is any. */
  slow: { payments: boolean; refunds: boolean };
}

export const emptyStory = (world: World): Story => ({
  world,
  orders: [],
  references: 0,
  repeatable: [],
  uploads: 0,
  told: 0,
  accounts: new Map(),
  slow: { payments: false, refunds: false },
});

/** Steps of an actor, or an immediate event outside. Returns whether it was possible. */
export type Begun = { actor: Work } | { outside: () => Promise<boolean> };

/** One possible move. It makes all its choices when it begins, so that a seed decides the whole story. */
export interface Move {
  name: string;
  /** How often it is chosen, in comparison. */
  weight: number;
  /** Expected errors; any other error is a defect. */
  refusals?: readonly string[];
  /** Null where there is nothing that it could be done to. */
  begin(story: Story): Begun | null;
}

export const actor = (work: Work): Begun => ({ actor: work });

/** Something under a reference of its own, which may be asked for again. */
export function repeatable(story: Story, work: Work): Begun {
  story.repeatable.push(work);
  return actor(work);
}

export const anyOf = <T>(story: Story, items: readonly T[]): T | null => {
  const [first, ...others] = items;
  return first === undefined ? null : story.world.random.pick([first, ...others]);
};

export const reference = (story: Story): string => `r${++story.references}`;

/** A move on one of the last orders. */
export function onOrder(work: (story: Story, order: KnownOrder) => Work) {
  return (story: Story): Begun | null => {
    const order = anyOf(story, story.orders.slice(-4));
    return order === null ? null : actor(work(story, order));
  };
}
