/**
 * Shifts the clock of a process by the milliseconds that a file names. The chaos test and the drills load it with
 * `--import` into the built service and write the file while the process runs, as a clock that jumps.
 */
import { readFileSync } from 'node:fs';

const RealDate = Date;
const realNow = RealDate.now.bind(RealDate);
let shift_ms = 0;

function readShift() {
  try {
    shift_ms = Number(readFileSync(process.env.CHAOS_CLOCK_FILE, 'utf8')) || 0;
  } catch {
    shift_ms = 0;
  }
}
readShift();
setInterval(readShift, 200).unref();

globalThis.Date = class Date extends RealDate {
  constructor(...args) {
    if (args.length === 0) super(realNow() + shift_ms);
    else super(...args);
  }

  static now() {
    return realNow() + shift_ms;
  }
};
