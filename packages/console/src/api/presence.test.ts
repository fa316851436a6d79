import { expect, test } from 'vitest';
import { setPresenceQuestion, withPresence } from './presence.ts';

const refusal = (): Response =>
  new Response(JSON.stringify({ error: 'reauthentication_required' }), { status: 403 });

/** A call that is refused until its person has proved to be present. */
function serviceOf() {
  const service = { proved: false, calls: 0 };
  const send = (): Promise<Response> => {
    service.calls += 1;
    return Promise.resolve(service.proved ? new Response('{}') : refusal());
  };
  return { service, send };
}

test('calls that are refused together share one question, and each is repeated once', async () => {
  const { service, send } = serviceOf();
  let questions = 0;
  setPresenceQuestion(() => {
    questions += 1;
    service.proved = true;
    return Promise.resolve(true);
  });
  const answers = await Promise.all([withPresence(send), withPresence(send)]);
  expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  expect([questions, service.calls]).toEqual([1, 4]);
});

test('a person who declines gets the refusal, and is asked again the next time', async () => {
  const { service, send } = serviceOf();
  let questions = 0;
  setPresenceQuestion(() => {
    questions += 1;
    return Promise.resolve(false);
  });
  for (let i = 0; i < 2; i++) {
    const answer = await withPresence(send);
    expect(await answer.json()).toEqual({ error: 'reauthentication_required' });
  }
  expect([questions, service.calls]).toEqual([2, 2]);
});

test.each([
  [403, '{"error":"role_required"}'],
  [403, 'no JSON'],
  [401, '{"error":"reauthentication_required"}'],
])('%i %s asks nothing', async (status, body) => {
  setPresenceQuestion(() => Promise.reject(new Error('asked')));
  const answer = await withPresence(() => Promise.resolve(new Response(body, { status })));
  expect([answer.status, await answer.text()]).toEqual([status, body]);
});
