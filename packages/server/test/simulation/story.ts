import type { Deps, World } from './world.ts';

/** An order that the simulation knows of. */
export interface KnownOrder {
  merchant_id: string;
  order_no: string;
  /** Its methods, so that what follows needs no look-up. */
  methods: readonly { method_id: string; provider: string }[];
  /** Who a catalog order belongs to; null where anybody may pay. */
  user_id: string | null;
}

/** A course of action, as one process takes it. */
export type Work = (deps: Deps) => Promise<unknown>;

/** What the moves of one seed have made so far. */
export interface Story {
  world: World;
  orders: KnownOrder[];
  references: number;
  /** What may be asked for again under the reference that it has, newest last. */
  repeatable: Work[];
  /** Sessions whose payment is in dispute. */
  disputed: string[];
  /** How often codes were taken in. */
  uploads: number;
  /** How many of the provider's events have been delivered, in the order they happened. */
  told: number;
  /** What takes its time at the provider, so that nobody has to look for what is not there. */
  slow: { payments: boolean; refunds: boolean };
}

export const emptyStory = (world: World): Story => ({
  world,
  orders: [],
  references: 0,
  repeatable: [],
  disputed: [],
  uploads: 0,
  told: 0,
  slow: { payments: false, refunds: false },
});

/** A course of action for an actor, or something that happens outside at once, if it can: it says so. */
export type Begun = { actor: Work } | { outside: () => Promise<boolean> };

/** One thing that can happen. Whatever it chooses it chooses when it is begun, so that a seed tells the whole story. */
export interface Move {
  name: string;
  /** How often it is chosen, in comparison. */
  weight: number;
  /** What it may be refused with; any other refusal is a defect. */
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
