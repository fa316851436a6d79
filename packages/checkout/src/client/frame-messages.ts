/**
 * What a page in a frame tells the merchant's page around it: the order's number and status, and nothing else (D-267). Each
 * message names the origin that may receive it.
 */
import { useEffect } from 'preact/hooks';
import type { AppContext } from '../view/props.ts';

/** A message to the merchant's page. `closed` asks it to close the frame. */
export interface EmbedMessage {
  order_no: string;
  status: string;
}

/** The part of a window's surroundings from which the origin around it is known. */
interface Around {
  location: { ancestorOrigins?: ArrayLike<string> };
  document: { referrer: string };
}

/**
 * The origins that a message is addressed to. It is the one around the frame, if the browser names one that the merchant
 * has registered. Else it is each registered origin: the browser delivers a message to an equal origin only.
 */
export function targetsOf(origins: readonly string[], { location, document }: Around): readonly string[] {
  const [parent] = Array.from(location.ancestorOrigins ?? []);
  const around = parent ?? originOf(document.referrer);
  return around !== null && origins.includes(around) ? [around] : origins;
}

function originOf(address: string): string | null {
  try {
    return new URL(address).origin;
  } catch {
    return null;
  }
}

/** @returns how to ask the merchant's page to close the frame; null where there is no frame */
export function useEmbed({ embed_origins, order_no }: AppContext, status: string): (() => void) | null {
  const send = (told: string): void => {
    const message: EmbedMessage = { order_no, status: told };
    for (const origin of targetsOf(embed_origins ?? [], window)) window.parent.postMessage(message, origin);
  };
  const close = (): void => {
    send('closed');
  };

  useEffect(() => {
    send(status);
  }, [status]);

  useEffect(() => {
    if (embed_origins === undefined) return undefined;
    const onKey = (event: KeyboardEvent): void => {
      if (event.key === 'Escape' && !event.defaultPrevented) close();
    };
    document.addEventListener('keydown', onKey);
    return () => {
      document.removeEventListener('keydown', onKey);
    };
  }, []);
  return embed_origins === undefined ? null : close;
}
