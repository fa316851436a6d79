import pg from 'pg';

/**
 * Listens on a channel with a connection of its own. If the connection is lost, it reconnects every second and then
 * calls `wake`, because notifications may have been missed.
 *
 * @returns a function that stops listening
 * @throws the driver's error if the first connection fails
 */
export async function listenForever(
  config: pg.ClientConfig,
  channel: string,
  wake: (payload: string) => void,
  onError: ((error: Error) => void) | undefined,
): Promise<() => Promise<void>> {
  let client: pg.Client | undefined;
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;
  const connect = async (): Promise<void> => {
    const next = new pg.Client({ ...config, statement_timeout: 0 });
    client = next;
    const retry = (error?: Error): void => {
      if (client !== next) return;
      client = undefined;
      if (error !== undefined) onError?.(error);
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
      void next.end().catch(() => undefined);
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
