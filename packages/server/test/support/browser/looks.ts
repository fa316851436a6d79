/**
 * Whether axe sees each page in every width and scheme (`npm run test:looks`). The usual run shows each page in two, and axe
 * sees it in one of them: in another one than the page before.
 */
export const everyLook = process.env.PAYDESK_EVERY_LOOK !== undefined;
