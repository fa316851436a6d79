/** How the checkout lies above a page: a modal on a desk, a full sheet on a phone. The page's own style does not reach it. */
const css = `
dialog {
  box-sizing: border-box;
  width: min(480px, 100vw);
  height: min(760px, 94vh);
  max-width: none;
  max-height: none;
  margin: auto;
  padding: 0;
  border: 0;
  border-radius: 16px;
  overflow: hidden;
  overscroll-behavior: contain;
  background: Canvas;
  color: CanvasText;
  font: 16px/1.5 system-ui, sans-serif;
}
dialog[open] {
  display: flex;
  flex-direction: column;
}
dialog::backdrop {
  background: rgb(0 0 0 / 55%);
}
button {
  flex: none;
  align-self: flex-end;
  width: 48px;
  height: 44px;
  border: 0;
  background: none;
  color: inherit;
  font: inherit;
  font-size: 28px;
  line-height: 1;
  cursor: pointer;
}
:focus-visible {
  outline: 3px solid;
  outline-offset: -5px;
  border-radius: 10px;
}
a {
  padding: 12px 16px;
  color: LinkText;
}
iframe {
  flex: 1;
  width: 100%;
  min-height: 0;
  border: 0;
  outline: 0;
}
[hidden] {
  display: none;
}
@media (max-width: 600px) {
  dialog {
    width: 100vw;
    height: 100vh;
    height: 100dvh;
    border-radius: 0;
    padding-top: env(safe-area-inset-top);
  }
}
@media (prefers-reduced-motion: no-preference) {
  dialog[open] {
    animation: rise 0.2s ease-out;
  }
  dialog:not([data-ready]) iframe {
    background: linear-gradient(90deg, transparent 40%, rgb(128 128 128 / 15%) 50%, transparent 60%) 0 / 300% 100%;
    animation: wait 1.5s linear infinite;
  }
  @keyframes rise {
    from {
      opacity: 0;
      transform: translateY(16px);
    }
  }
  @keyframes wait {
    from {
      background-position: 100% 0;
    }
    to {
      background-position: 0 0;
    }
  }
}
`;

/** Gives a shadow root its style. Policies of pages do not forbid sheets that a script constructs, as they do `<style>`. */
export function sheet(root: ShadowRoot): ShadowRoot {
  if ('replaceSync' in CSSStyleSheet.prototype) {
    const made = new CSSStyleSheet();
    made.replaceSync(css);
    root.adoptedStyleSheets = [made];
  } else {
    root.append(Object.assign(document.createElement('style'), { textContent: css }));
  }
  return root;
}
