/** The time that is left to pay. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { Icon } from './icon.tsx';
import type { Ui } from './ui.ts';

/** `29:58`, or `1:59:58` from an hour on. */
function clockFace(seconds: number): string {
  const left = Math.max(0, Math.ceil(seconds));
  const two = (value: number): string => String(value).padStart(2, '0');
  const [hours, minutes] = [Math.floor(left / 3600), Math.floor(left / 60) % 60];
  return hours > 0 ? `${hours}:${two(minutes)}:${two(left % 60)}` : `${two(minutes)}:${two(left % 60)}`;
}

/** The seconds left at which screen readers announce the time. */
const announcedAt = [300, 60];

interface CountdownProps {
  ui: Ui;
  /** The remaining seconds by the server's clock at the time of the state; a new state restarts the count. */
  seconds_left: number;
  announce: (text: string) => void;
  onZero: () => void;
}

/**
 * The time left, counted from the server's remaining seconds by the monotonic clock, so that a wrong clock does not
 * matter. Screen readers announce it only twice.
 */
export function Countdown({ ui, seconds_left, announce, onZero }: CountdownProps) {
  const [left, setLeft] = useState(seconds_left);
  const told = useRef(new Set(announcedAt.filter((mark) => seconds_left <= mark)));
  useEffect(() => {
    const begun = performance.now();
    const tick = (): void => {
      const now = seconds_left - (performance.now() - begun) / 1000;
      setLeft(Math.ceil(now));
      for (const mark of announcedAt) {
        if (now > mark || now <= 0 || told.current.has(mark)) continue;
        told.current.add(mark);
        announce(ui.t('time_left_announced', { time: ui.duration(mark) }));
      }
      if (now <= 0) {
        clearInterval(timer);
        onZero();
      }
    };
    const timer = setInterval(tick, 500);
    setLeft(seconds_left);
    return () => {
      clearInterval(timer);
    };
  }, [seconds_left]);
  return (
    <p class={left <= 60 ? 'countdown soon' : 'countdown'}>
      <Icon name="clock" />
      <span>{left > 0 ? ui.t('time_left') : ui.t('time_up')}</span>
      <span class="face" role="timer" aria-live="off">
        {clockFace(left)}
      </span>
    </p>
  );
}
