import pg from 'pg';
import { type Driver, DriverClient } from './driver/client.ts';

/** How all listeners of a process connect. */
interface ListenSettings {
  settings: pg.ClientConfig;
  /** Time between two checks whether the server still answers. */
  heartbeat_ms: number;
  onError: (error: Error) => void;
}

interface ListenOptions extends ListenSettings {
  channel: string;
  wake: (payload: string) => void;
}

interface Listening {
  stop(): Promise<void>;
  /** Resolves with a word about how it hears, and connects if the connection is lost; rejects if it hears nothing. */
  check(): Promise<string>;
}

/** All that this process listens to. */
export interface Listeners {
  /** @returns a function that stops this one */
  listen(channel: string, wake: (payload: string) => void): Promise<() => Promise<void>>;
  /** Resolves with words about how they hear; rejects while one of them hears nothing. */
  check(): Promise<string>;
  stop(): Promise<void>;
}

/** Opens nothing by itself. */
export function openListeners(driver: Driver, settings: ListenSettings): Listeners {
  const open = new Set<Listening>();
  return {
    async listen(channel, wake) {
      const one = await listenForever(driver, { ...settings, channel, wake });
      open.add(one);
      return async () => {
        open.delete(one);
        await one.stop();
      };
    },
    async check() {
      const words = await Promise.all([...open].map((one) => one.check()));
      return [...new Set(words)].join(', ');
    },
    async stop() {
      await Promise.all([...open].map((one) => one.stop()));
    },
  };
}

/**
 * Listens on a channel with a connection of its own. If the connection is lost or silent, it reconnects every second and
 * then calls `wake`, because notifications may have been missed.
 *
 * @throws the driver's error if the first connection fails
 */
async function listenForever(
  driver: Driver,
  { settings, heartbeat_ms, channel, wake, onError }: ListenOptions,
): Promise<Listening> {
  let client: DriverClient | undefined;
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;
  const connect = async (): Promise<void> => {
    const next = new DriverClient(driver, settings);
    client = next;
    // If no answer comes, the driver ends the connection.
    const heartbeat = setInterval(() => void next.query('SELECT 1').catch(() => undefined), heartbeat_ms);
    const retry = (error?: Error): void => {
      clearInterval(heartbeat);
      if (client !== next) return;
      client = undefined;
      if (error !== undefined) onError(error);
      if (stopped) return;
      timer = setTimeout(() => void connect().catch(() => undefined), 1_000);
    };
    next.on('error', retry);
    next.on('end', () => {
      retry();
    });
    next.on('notification', ({ payload }) => {
      wake(payload ?? '');
    });
    try {
      await next.connect();
      await next.query(`LISTEN ${pg.escapeIdentifier(channel)}`);
    } catch (error) {
      retry(error as Error);
      next.destroy();
      throw error;
    }
    wake('');
  };
  const stop = async (): Promise<void> => {
    stopped = true;
    clearTimeout(timer);
    const last = client;
    client = undefined;
    await last?.end().catch(() => undefined);
  };
  try {
    await connect();
  } catch (error) {
    // The caller gets no function to stop it.
    await stop();
    throw error;
  }
  const check = async (): Promise<string> => {
    if (stopped) throw new Error('the process listens no more');
    if (client === undefined) {
      clearTimeout(timer);
      await connect();
    }
    await client?.query('SELECT 1');
    return 'it listens';
  };
  return { stop, check };
}
