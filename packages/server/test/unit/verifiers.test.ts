import { statusNotificationExample } from '@paydesk/contract';
import { execFile } from 'node:child_process';
import { createHmac, randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, test } from 'vitest';
import { openReceiver, type Received } from '../support/servers/receiver.ts';
import { sendNotification } from '../support/notifications/send-notification.ts';
import { testAuthority } from '../support/servers/tls.ts';
import { go, php, python } from '../support/run/tools.ts';

/** A request to a receiver, and whether it must accept it. */
interface Vector {
  name: string;
  secret: string;
  event_id: string;
  timestamp: string;
  now: number;
  body: string;
  signature: string;
  valid: boolean;
}

const place = (path: string): string => fileURLToPath(new URL(`../../../../${path}`, import.meta.url));
const read = (path: string): Promise<string> => readFile(place(path), 'utf8');

/** The verifiers of docs/notifications.md, each with the command that runs its `check` program. */
const verifiers: [file: string, command: () => string, ...args: string[]][] = [
  ['node/verify.js', () => process.execPath, 'check.js'],
  ['python/verify.py', python, '-B', 'check.py'],
  ['php/verify.php', php, 'check.php'],
  ['go/verify.go', go, 'run', 'verify.go', 'check.go'],
];

let published: Vector[];
let delivered: Vector[];

beforeAll(async () => {
  const file = JSON.parse(await read('packages/sdk/vectors/notification-signatures.json')) as {
    vectors: Vector[];
  };
  published = file.vectors;
  delivered = await realDelivery();
});

/** A delivery of ours, and variants with one change. */
async function realDelivery(): Promise<Vector[]> {
  const authority = await testAuthority();
  const receiver = await openReceiver(authority);
  try {
    const secret = `ключ-🔑-${randomBytes(24).toString('base64url')}`;
    await sendNotification({ url: receiver.url('/hook?shop=1'), ca: authority.cert, secret });
    const [request] = receiver.received;
    if (request === undefined) throw new Error('nothing was sent');
    const real = vectorOf(request, secret);
    return [
      real,
      { ...real, name: 'a byte of the body', body: real.body.replace('"10.00"', '"10.01"'), valid: false },
      { ...real, name: 'too late', now: real.now + 302, valid: false },
      { ...real, name: 'another secret', secret: `${secret}.`, valid: false },
      { ...real, name: 'no secret', secret: '', signature: signedWithNothing(real), valid: false },
    ];
  } finally {
    await receiver.close();
  }
}

/** What anyone can sign, if a receiver has an empty text among its secrets. */
const signedWithNothing = ({ timestamp, body }: Vector): string =>
  `sha256=${createHmac('sha256', '').update(`${timestamp}.${body}`).digest('hex')}`;

const vectorOf = ({ headers, body }: Received, secret: string): Vector => ({
  name: 'as we deliver it',
  secret,
  event_id: String(headers['x-service-event-id']),
  timestamp: String(headers['x-service-timestamp']),
  signature: String(headers['x-service-signature']),
  now: Number(headers['x-service-timestamp']),
  body: body.toString('utf8'),
  valid: true,
});

/** Runs a check program over vectors. */
function run(file: string, command: string, args: string[], vectors: Vector[]): Promise<boolean[]> {
  const options = {
    cwd: dirname(place(`examples/notifications/${file}`)),
    env: {
      ...process.env,
      GOCACHE: place('.cache/go-build'),
      GOFLAGS: '',
      GO111MODULE: 'off',
      GOTOOLCHAIN: 'local',
    },
  };
  return new Promise((resolve, reject) => {
    const child = execFile(command, args, options, (error, stdout, stderr) => {
      if (error === null) resolve(JSON.parse(stdout) as boolean[]);
      else reject(new Error(`${command}: ${stderr}`, { cause: error }));
    });
    child.stdin?.end(JSON.stringify({ vectors }));
  });
}

describe.each(verifiers)('R-269 R-270 R-271 D-1140 the verifier %s', (file, command, ...args) => {
  test(
    'every verifier accepts exactly our deliveries and the published vectors',
    { timeout: 300_000 },
    async () => {
      const vectors = [...published, ...delivered];
      const verdicts = await run(file, command(), args, vectors);
      expect(vectors.map(({ name }, i) => [name, verdicts[i]])).toEqual(
        vectors.map(({ name, valid }) => [name, valid]),
      );
    },
  );

  test('stands in the guide as it is', async () => {
    const code = await read(`examples/notifications/${file}`);
    expect(await read('docs/notifications.md')).toContain(`\n${code}\`\`\`\n`);
  });
});

test('D-1140 the console shows the verifier of the guide', async () => {
  const screen = await read('packages/console/src/merchant/notifications/settings-screen.tsx');
  const [, shown = ''] = /const example = verbatim\(`([^]*?\n\})`\);/.exec(screen) ?? [];
  expect(`${shown.replaceAll(/\\([`$\\])/g, '$1')}\n`).toBe(
    await read('examples/notifications/node/verify.js'),
  );
});

test('R-262 R-263 the envelope in the guide is the one of the contract', async () => {
  const guide = await read('docs/notifications.md');
  const [, example = ''] = /```json\n([^]*?)```/.exec(guide) ?? [];
  expect(JSON.parse(example)).toEqual(statusNotificationExample);
});
