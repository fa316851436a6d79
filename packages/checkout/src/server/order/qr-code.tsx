/** QR codes as SVG. */
import { renderToString } from 'preact-render-to-string';
import { encode } from 'uqr';

/** The quiet zone around the code, in modules, as the standard requires. */
const quiet = 4;

/** A QR code as one path. It is dark on light in every colour scheme, because cameras expect that. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const { data, size } = encode(text, { ecc: 'M', border: 0 });
  const side = size + 2 * quiet;
  return (
    <svg
      xmlns="http://www.w3.org/2000/svg"
      class="qr"
      viewBox={`0 0 ${side} ${side}`}
      role="img"
      aria-label={label}
      shape-rendering="crispEdges"
    >
      <rect width={side} height={side} fill="#fff" />
      <path d={modulesPath(data)} fill="#000" />
    </svg>
  );
}

/** A QR code as a file. */
export const renderQrCode = (text: string): string => renderToString(<QrCode text={text} label={text} />);

/** One horizontal bar for each run of dark modules. */
function modulesPath(rows: readonly (readonly boolean[])[]): string {
  let path = '';
  rows.forEach((row, y) => {
    let x = 0;
    while (x < row.length) {
      const start = x;
      while (row[x] === true) x += 1;
      if (x > start) path += `M${start + quiet} ${y + quiet}h${x - start}v1h-${x - start}z`;
      else x += 1;
    }
  });
  return path;
}
