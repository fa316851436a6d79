/** The style sheet and the content security policy of the payment pages. */
import { createHash } from 'node:crypto';
import { Html } from './html.ts';

const style = `
:root {
  color-scheme: light dark;
  --ground: #f4f5f7; --card: #ffffff; --text: #1b2330; --soft: #566072; --line: #c3c9d4;
  --accent: #2f4fd0; --on-accent: #ffffff; --bad: #b3261e; --bad-ground: #fdeceb;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #12151b; --card: #1c212a; --text: #eceff4; --soft: #a9b2c1; --line: #4a5363;
    --accent: #9db2ff; --on-accent: #10152b; --bad: #ffb4ab; --bad-ground: #3a1a18;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0; padding: 1rem; background: var(--ground); color: var(--text);
  font: 1rem/1.5 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; overflow-wrap: anywhere;
}
main { max-width: 30rem; margin: 0 auto; }
.banner { margin: 0 0 1rem; font-size: .875rem; color: var(--soft); }
.sheet { background: var(--card); border: 1px solid var(--line); border-radius: .75rem; padding: 1.25rem; margin-bottom: 1rem; }
h1 { font-size: 1.125rem; font-weight: 600; margin: 0; }
h2 { font-size: 1rem; margin: 0 0 .75rem; }
.amount { font-size: 2rem; font-weight: 700; line-height: 1.2; margin: .25rem 0 0; font-variant-numeric: tabular-nums; }
.items { list-style: none; margin: 1rem 0 0; padding: 0; color: var(--soft); }
.items li { display: flex; flex-wrap: wrap; justify-content: space-between; gap: 0 1rem; }
label { display: block; font-weight: 600; margin-top: .75rem; }
input {
  width: 100%; margin-top: .25rem; padding: .625rem .75rem; font: inherit; color: inherit;
  background: var(--card); border: 1px solid var(--soft); border-radius: .5rem;
}
input[aria-invalid="true"] { border-color: var(--bad); border-width: 2px; }
.pair { display: grid; grid-template-columns: 1fr 1fr; gap: 0 .75rem; align-items: end; }
.problem { color: var(--bad); font-size: .875rem; margin: .25rem 0 0; }
.alert { color: var(--bad); background: var(--bad-ground); border: 1px solid var(--bad); border-radius: .5rem; padding: .75rem; margin: 0 0 1rem; }
button, .button {
  display: block; width: 100%; margin-top: 1rem; padding: .75rem 1rem; font: inherit; font-weight: 600;
  text-align: center; text-decoration: none; color: var(--on-accent); background: var(--accent);
  border: 1px solid var(--accent); border-radius: .5rem; cursor: pointer;
}
.quiet { color: var(--text); background: transparent; border-color: var(--soft); margin-top: .5rem; }
a { color: var(--accent); }
a.button { color: var(--on-accent); }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
table { width: 100%; border-collapse: collapse; font-size: .875rem; }
th, td { text-align: left; vertical-align: top; padding: .375rem .5rem .375rem 0; border-top: 1px solid var(--line); }
td:first-child { font-variant-numeric: tabular-nums; }
`;

/** The style sheet. The policy contains its hash, so there must be no space between the tags and the text. */
export const style_element = new Html(`<style>${style}</style>`);

/**
 * No scripts, no images, no other styles. `form-action` allows all addresses on purpose: browsers also apply
 * it to redirects after a form, and these lead to the merchant’s `success_url`.
 */
export const content_security_policy = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
  "form-action 'self' http: https:",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');
