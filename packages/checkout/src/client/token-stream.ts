/**
 * An event stream that shows the order's token in a header. The browser's own stream cannot send one, and in a frame of
 * another site there is no cookie (D-268).
 */
/** The parts of a stream that following an order needs. */
export interface OrderStream {
  readonly readyState: number;
  addEventListener: (type: string, listener: (event: Event) => void) => void;
  close: () => void;
}

const [connecting, open, closed] = [0, 1, 2];

/** As long as the server asks browsers to wait. */
const pause_ms = 2_000;

/** Opens again when it ends, and stays closed when it is refused, as an `EventSource` does. */
export class TokenStream extends EventTarget implements OrderStream {
  readyState = connecting;
  private readonly abort = new AbortController();

  constructor(path: string, token: string) {
    super();
    void this.run(path, token);
  }

  close(): void {
    this.readyState = closed;
    this.abort.abort();
  }

  private async run(path: string, token: string): Promise<void> {
    while (this.readyState !== closed) {
      try {
        const answer = await fetch(path, {
          headers: { 'x-checkout-token': token },
          cache: 'no-store',
          credentials: 'omit',
          signal: this.abort.signal,
        });
        if (answer.ok && answer.body !== null) await this.read(answer.body);
        else this.readyState = closed;
      } catch {
        // The connection was lost, or this end has closed it.
      }
      if (this.abort.signal.aborted) return;
      if (this.readyState !== closed) this.readyState = connecting;
      this.dispatchEvent(new Event('error'));
      await new Promise((resolve) => setTimeout(resolve, pause_ms));
    }
  }

  private async read(body: ReadableStream<Uint8Array>): Promise<void> {
    this.readyState = open;
    this.dispatchEvent(new Event('open'));
    const reader = body.getReader();
    const decoder = new TextDecoder();
    let text = '';
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return;
      const events = (text + decoder.decode(value, { stream: true })).split('\n\n');
      text = events.pop() ?? '';
      for (const event of events) {
        const data = /^data: (.*)$/m.exec(event)?.[1];
        if (data !== undefined) this.dispatchEvent(new MessageEvent('message', { data }));
      }
    }
  }
}
