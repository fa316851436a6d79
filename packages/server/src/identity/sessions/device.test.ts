import { expect, test } from 'vitest';
import { deviceOf, deviceWords } from './device.ts';

const windows = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64)';
const iphone =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)';
const chrome = 'AppleWebKit/537.36 (KHTML, like Gecko) Chrome/138.0.0.0';

test.each([
  [`${windows} ${chrome} Safari/537.36`, 'Chrome on Windows'],
  [`${windows} ${chrome} Safari/537.36 Edg/138.0.0.0`, 'Edge on Windows'],
  [`Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0`, 'Firefox on Linux'],
  [`Mozilla/5.0 (Linux; Android 15; SM-S938B) ${chrome} Mobile Safari/537.36`, 'Chrome on Android'],
  [`${iphone} Version/18.5 Mobile/15E148 Safari/604.1`, 'Safari on iPhone'],
  ['curl/8.14.1', 'curl'],
  ['Netscape <4>', 'Netscape <4>'],
  ['', 'Unknown device'],
])('the device of %j in words', (agent, words) => {
  expect(deviceWords(deviceOf(agent))).toBe(words);
});
