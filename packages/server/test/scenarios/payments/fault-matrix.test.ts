import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type FaultDesk,
  type FaultOrder,
  life_s,
  openFaultDesk,
  type Upset,
} from '../../support/desks/fault-desk.ts';
import {
  calls,
  type Endpoint,
  type FaultCase,
  faultCases,
  faultOf,
  type Moment,
} from '../../support/desks/fault-rules.ts';

/** When the provider answers again after the deadline, where a story has an outage. */
const afterwards_s = life_s + 1_200;

type Story = (order: FaultOrder, arm: () => Promise<void>, upset: Upset | undefined) => Promise<void>;

/** Each story brings an order to the call that goes wrong, at its moment. */
const stories: Record<Endpoint, Record<Moment, Story>> = {
  'sessions.create': {
    async before(order, arm, upset) {
      order.at(60);
      await arm();
      await order.start(upset);
      order.at(180);
      await order.reconcile();
    },
    async at(order, arm, upset) {
      order.at(life_s - 1);
      await arm();
      await order.start({ call: 'createSession', ...upset, until_s: life_s });
    },
    async after(order, arm, upset) {
      order.at(life_s + 1);
      await arm();
      expect(await order.start(upset)).toBe('payment_expired');
      expect(await order.asked('sessions.create')).toBe(0);
    },
  },
  'sessions.retrieve': paid(),
  'payment_intents.retrieve': paid(),
  'sessions.list': {
    async before(order, arm, upset) {
      await unanswered(order, 10);
      await order.pay();
      order.at(20);
      await toldOf(order, arm, upset);
    },
    async at(order, arm, upset) {
      await unanswered(order, life_s - 10);
      await order.pay();
      await atDeadline(order, arm, upset);
    },
    async after(order, arm, upset) {
      await unanswered(order, life_s - 10);
      await outage(order, 'sessions.list');
      await order.pay();
      order.at(afterwards_s);
      await arm();
      await order.reconcile(upset);
    },
  },
  'sessions.expire': {
    async before(order, arm, upset) {
      await open(order);
      order.at(60);
      await toldOf(order, arm, upset);
      await order.reconcile(upset);
      expect(await order.asked('sessions.expire')).toBe(0);
    },
    async at(order, arm, upset) {
      await open(order);
      await atDeadline(order, arm, upset);
    },
    async after(order, arm, upset) {
      await open(order);
      await outage(order, 'sessions.retrieve');
      order.at(afterwards_s);
      await arm();
      await order.reconcile(upset);
    },
  },
};

/** A session that is paid without a webhook: reported in time, found at the deadline, or found after an outage. */
function paid(): Record<Moment, Story> {
  return {
    async before(order, arm, upset) {
      await open(order);
      await order.pay();
      order.at(60);
      await toldOf(order, arm, upset);
    },
    async at(order, arm, upset) {
      await open(order);
      await order.pay();
      await atDeadline(order, arm, upset);
    },
    async after(order, arm, upset) {
      await open(order);
      await outage(order, 'sessions.expire');
      await order.pay();
      order.at(afterwards_s);
      await arm();
      await order.reconcile(upset);
    },
  };
}

async function open(order: FaultOrder): Promise<void> {
  order.at(10);
  expect(await order.start()).toBe('redirect');
}

/** The provider created the session, and its answer was lost. */
async function unanswered(order: FaultOrder, s: number): Promise<void> {
  order.at(s);
  await order.arm({ endpoint: 'sessions.create', mode: 'reset_after' });
  expect(await order.start()).toBe('pending');
}

/** A webhook; its look-up meets the fault, and a later one does not. */
async function toldOf(order: FaultOrder, arm: () => Promise<void>, upset: Upset | undefined): Promise<void> {
  await order.tell();
  await arm();
  await order.follow(upset);
  order.at(180);
  await order.follow();
}

async function atDeadline(
  order: FaultOrder,
  arm: () => Promise<void>,
  upset: Upset | undefined,
): Promise<void> {
  order.at(life_s);
  expect(await order.read()).toBe('review');
  await arm();
  await order.reconcile(upset);
}

/** At the deadline the provider cannot say. */
async function outage(order: FaultOrder, endpoint: Endpoint): Promise<void> {
  order.at(life_s);
  expect(await order.read()).toBe('review');
  await order.arm({ endpoint, mode: 'status', status: 503 });
  await order.reconcile();
  expect(await order.read()).toBe('review');
}

/** The provider works again, and workers come by, for as long as anything could still change. */
async function wayOut(order: FaultOrder, from_s: number): Promise<void> {
  for (const s of [10, 80, 150, 220]) {
    order.at(from_s + s);
    await order.read();
    await order.follow();
    await order.reconcile();
  }
}

const wayOutFrom = ({ endpoint, moment }: FaultCase): number =>
  moment === 'after' && endpoint !== 'sessions.create' ? afterwards_s : life_s;

/** The subject of each part of the matrix. */
const titles: Record<Endpoint, string> = {
  'sessions.create': 'R-202 R-203 R-204 R-205 R-206 R-234 R-236 a creation that goes wrong',
  'sessions.retrieve': 'R-183 R-187 R-231 D-103 reading a session',
  'sessions.list': 'R-184 R-187 D-093 searching for a session whose creation got no answer',
  'sessions.expire': 'R-180 R-185 R-187 closing a session',
  'payment_intents.retrieve': 'R-187 D-112 reading when a payment was made',
};

let desk: FaultDesk;
/** The result of each story, or its error. */
const told = new Map<FaultCase, Promise<FaultOrder>>();

async function tell(of: FaultCase): Promise<FaultOrder> {
  const order = await desk.open();
  const { endpoint, fault, moment, crash } = of;
  const upset: Upset | undefined = crash ? { call: calls[endpoint], dies: true } : undefined;
  await stories[endpoint][moment](order, () => order.arm(faultOf(endpoint, fault)), upset);
  await wayOut(order, wayOutFrom(of));
  return order;
}

beforeAll(async () => {
  desk = await openFaultDesk();
  // Several concurrently, but few enough that answers are not late for lack of CPU.
  const waiting = faultCases.values();
  const tellers = Array.from({ length: 8 }, async () => {
    for (const of of waiting) {
      const story = tell(of);
      told.set(of, story);
      await story.catch(() => undefined);
    }
  });
  await Promise.all(tellers);
}, 900_000);

afterAll(() => desk.stop());

describe.each(Object.entries(titles) as [Endpoint, string][])('%s: %s', (endpoint) => {
  const cases = faultCases.filter((of) => of.endpoint === endpoint);
  test.each(cases.map((of) => [of.fault, of.moment, of.crash ? 'dies' : 'lives on', of.rows, of] as const))(
    '%s %s the deadline, and the process %s: %s',
    async (_fault, _moment, _life, _rows, of) => {
      const order = await told.get(of);
      expect(await order?.end()).toEqual(of.end);
    },
  );
});

test('R-193 the matrix has every call, fault and moment, with and without a crash', () => {
  expect(faultCases.length).toBeGreaterThanOrEqual(200);
  expect(told.size).toBe(faultCases.length);
});
