import { Icon } from './icon.tsx';

/** Copies a text; the page announces the result. It keeps its place, invisible, until scripts run. */
export function CopyButton(props: { label: string; onCopy: () => void }) {
  return (
    <button
      class="copy live-only"
      type="button"
      aria-label={props.label}
      title={props.label}
      onClick={props.onCopy}
    >
      <Icon name="copy" />
    </button>
  );
}
