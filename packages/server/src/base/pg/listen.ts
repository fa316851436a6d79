import pg from 'pg';
import { type Driver, DriverClient } from './driver/client.ts';

export interface ListenOptions {
  settings: pg.ClientConfig;
  /** Time between two checks whether the server still answers. */
  heartbeat_ms: number;
  channel: string;
  wake: (payload: string) => void;
  onError: (error: Error) => void;
}

/**
 * Listens on a channel with a connection of its own. If the connection is lost or silent, it reconnects every second and
 * then calls `wake`, because notifications may have been missed.
 *
 * @returns a function that stops listening
 * @throws the driver's error if the first connection fails
 */
export async function listenForever(
  driver: Driver,
  { settings, heartbeat_ms, channel, wake, onError }: ListenOptions,
): Promise<() => Promise<void>> {
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
  return stop;
}
