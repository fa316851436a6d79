/** The interactive part of the checkout page. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { noticeOn } from '../texts/notices.ts';
import { useEmbed } from '../client/embedded.ts';
import { useOrder } from '../client/use-order.ts';
import { hasCountdown, obstacleOf, previewedMethod, screenOf } from '../model/screen.ts';
import { Countdown } from './countdown.tsx';
import { signInPath } from './links.ts';
import { NoticeBox } from './notice-box.tsx';
import type { AppProps } from './props.ts';
import { ScreenBody, ScreenIcon, titleOf } from './screens.tsx';
import { Numbers, Summary } from './summary.tsx';
import { uiOf } from './ui.ts';

const noMessage = { text: '', visible: false };

/** How long a message stays, in milliseconds. */
const message_ms = 4_000;

/** The page between its header and its footer. The server renders it, and the browser hydrates it. */
export function CheckoutApp({ state: initial, context, messages, amounts, marks }: AppProps) {
  const ui = uiOf(context.locale, messages, amounts);
  const page = useOrder(initial, context);
  const { message, announce, show } = useMessage();
  const heading = useRef<HTMLHeadingElement>(null);
  const { state, phase } = page;
  const screen = screenOf(state);
  const close = useEmbed(context, state.status);
  const title = ui.t(titleOf(screen, context.back));

  // A new screen takes the focus: the button that had it may be gone.
  const shown = useRef(screen.kind);
  useEffect(() => {
    document.body.dataset.screen = screen.kind;
    if (shown.current === screen.kind) return;
    shown.current = screen.kind;
    heading.current?.focus();
  }, [screen.kind]);

  useEffect(() => {
    if (phase === 'starting') announce(ui.t('starting_announced'));
    if (phase === 'redirecting') announce(ui.t('redirecting'));
  }, [phase]);

  const copy = (text: string): void => {
    navigator.clipboard.writeText(text).then(
      () => {
        show(ui.t('copied'));
      },
      () => {
        show(ui.t('copy_by_hand'));
      },
    );
  };

  const method = previewedMethod(state, page.chosen);
  const obstacle = screen.kind === 'choose' && method !== null ? obstacleOf(method, state.buyer) : null;
  const testMode = state.test_mode || (method?.test_mode ?? false);
  return (
    <div class={page.live ? 'frame live' : 'frame'} data-screen={screen.kind}>
      {testMode && <p class="banner test">{ui.t('test_banner')}</p>}
      {!page.online && (
        <p class="banner offline" role="status">
          {ui.t('offline')}
        </p>
      )}
      <div class="columns">
        <Summary ui={ui} state={state}>
          {hasCountdown(screen.kind) && (
            <Countdown ui={ui} seconds_left={state.seconds_left} announce={announce} onZero={page.refresh} />
          )}
        </Summary>
        <section class="panel" aria-labelledby="screen-title">
          <NoticeBox
            ui={ui}
            notice={noticeOn(screen.kind, obstacle, page.notice)}
            buyer={state.buyer}
            sign_in_url={signInPath(context.sign_in_url, method?.method_id ?? null)}
          />
          <ScreenIcon kind={screen.kind} />
          <h2 id="screen-title" ref={heading} tabIndex={-1}>
            {title}
          </h2>
          <ScreenBody ui={ui} context={context} page={page} screen={screen} close={close} marks={marks} />
        </section>
        <Numbers ui={ui} state={state} copy={copy} />
      </div>
      <p class={message.visible ? 'toast' : 'unseen'} role="status">
        {message.text}
      </p>
    </div>
  );
}

/** A short message that disappears by itself. Screen readers read it out; only `show` makes it visible as well. */
function useMessage() {
  const [message, setMessage] = useState(noMessage);
  useEffect(() => {
    if (message.text === '') return undefined;
    const timer = setTimeout(setMessage, message_ms, noMessage);
    return () => {
      clearTimeout(timer);
    };
  }, [message.text]);
  return {
    message,
    announce: (text: string): void => {
      setMessage({ text, visible: false });
    },
    show: (text: string): void => {
      setMessage({ text, visible: true });
    },
  };
}
