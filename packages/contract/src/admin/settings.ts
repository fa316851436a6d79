/** Settings of the whole platform, which administrators read and change. */
import Type, { type Static } from 'typebox';
import { Digits, PtkLimit } from './scalars.ts';

/** The members that change. An unknown member is refused, so that a misspelt setting is not taken for a changed one. */
export const SettingsChange = Type.Object(
  { four_eyes_ptk: Type.Optional(PtkLimit) },
  { additionalProperties: false },
);
export type SettingsChange = Static<typeof SettingsChange>;

export const SettingsAnswer = Type.Object({
  /** The gross PTK from which a write of money waits for another person; `"0"` switches this off. */
  four_eyes_ptk: Digits,
});
export type SettingsAnswer = Static<typeof SettingsAnswer>;
