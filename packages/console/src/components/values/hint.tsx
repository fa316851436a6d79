/** A hint beside an element while the pointer is over it. The code that draws hints is loaded with the first one. */
import {
  cloneElement,
  type DOMAttributes,
  type ReactElement,
  type Ref,
  useEffect,
  useId,
  useState,
} from 'react';
import { useLoaded } from '../../shell/load-later.ts';

interface HintProps {
  label: string;
  /** How long a pointer rests before the hint appears. */
  delay_ms?: number;
  /** Whether a finger and the keyboard show it as well: for an element that can have the focus. */
  always?: boolean;
  children: ReactElement<
    DOMAttributes<HTMLElement> & { ref?: Ref<HTMLElement>; 'aria-describedby'?: string }
  >;
}

const load = () => import('./hint-box.ts');

export function Hint({ label, delay_ms = 300, always = false, children }: HintProps) {
  const id = useId();
  const [target, setTarget] = useState<HTMLElement | null>(null);
  const [asked, setAsked] = useState<'no' | 'soon' | 'yes'>('no');
  const box = useLoaded(load, asked !== 'no');
  const isOpen = asked === 'yes' && box !== null;
  useEffect(() => {
    if (asked === 'no') return;
    const close = (): void => setAsked('no');
    const timer = asked === 'soon' ? setTimeout(() => setAsked('yes'), delay_ms) : undefined;
    const onKey = ({ key }: KeyboardEvent): void => {
      if (key === 'Escape') close();
    };
    const onPress = ({ target: pressed }: PointerEvent): void => {
      if (!(pressed instanceof Node && target?.contains(pressed) === true)) close();
    };
    window.addEventListener('keydown', onKey);
    window.addEventListener('pointerdown', onPress);
    return () => {
      clearTimeout(timer);
      window.removeEventListener('keydown', onKey);
      window.removeEventListener('pointerdown', onPress);
    };
  }, [asked, delay_ms, target]);
  return (
    <>
      {cloneElement(children, {
        ref: setTarget,
        ...(isOpen ? { 'aria-describedby': id } : {}),
        onPointerEnter: ({ pointerType }) => {
          if (pointerType !== 'touch') setAsked('soon');
          else if (always) setAsked('yes');
        },
        onPointerLeave: ({ pointerType }) => {
          if (pointerType !== 'touch') setAsked('no');
        },
        ...(always
          ? {
              onFocus: ({ currentTarget }) => {
                if (currentTarget.matches(':focus-visible')) setAsked('yes');
              },
              onBlur: () => setAsked('no'),
            }
          : {}),
      })}
      {box !== null && target !== null && (
        <box.Tooltip id={id} target={target} opened={isOpen} label={label} />
      )}
    </>
  );
}
