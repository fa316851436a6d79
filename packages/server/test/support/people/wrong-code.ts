import type { TOTP } from 'otpauth';

/** Six digits that an authenticator app shows at no time near now: nine codes of a million would be right. */
export function wrongCodeOf(app: TOTP): string {
  const right = Array.from({ length: 9 }, (_, step) =>
    app.generate({ timestamp: Date.now() + (step - 4) * 30_000 }),
  );
  const wrong = Array.from({ length: 10 }, (_, n) => `00000${n}`).find((code) => !right.includes(code));
  if (wrong === undefined) throw new Error('ten wrong codes are right');
  return wrong;
}
