import { build, requireNode } from './lib/workspace.js';

/** `npm run build`: compiles every package and bundles what browsers load, from installed dependencies. */

requireNode();
const { code } = await build();
process.exitCode = code;
