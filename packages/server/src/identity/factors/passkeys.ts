/**
 * Registers and uses passkeys (WebAuthn). Invariant: each answer of a device is checked against a challenge that the
 * service made, and a challenge works once.
 */
import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/server';
import { isIP } from 'node:net';
import { later, minutes } from '../../base/time/clock.ts';
import { isUniqueViolation, type Tx } from '../../base/pg/index.ts';
import { insertOneTimeToken, takeOneTimeToken } from '../one-time-tokens/index.ts';
import { AppError } from '../../base/errors.ts';
import {
  advancePasskey,
  deletePasskey,
  insertPasskey,
  type Passkey,
  selectPasskey,
  selectPasskeysOf,
} from './passkey.sql.ts';
import { replaceRecoveryCodes } from './recovery-code.sql.ts';
import { selectTotp } from './totp.sql.ts';
import { lockPerson, recordOwnAct } from '../people/index.ts';
import type { FactorDeps } from './factors.ts';
import { factorSince } from './session-before-factor.ts';

export interface PasskeyDeps extends FactorDeps {
  /** Scheme, host and port of our pages. */
  origin: string;
}

/** Loaded with the first passkey, because it is a fifth of the code that a start would load. */
const library = () => import('@simplewebauthn/server');

/** How long a person may take to answer with the device; real time. */
const ceremonyLife_ms = minutes(5);

/** Whether this origin can have passkeys: they belong to a host name, never to an IP address. */
export const passkeysPossible = (origin: string): boolean => {
  const { hostname } = new URL(origin);
  return isIP(hostname.replace(/^\[|\]$/g, '')) === 0;
};

const rpOf = (origin: string): string => new URL(origin).hostname;

/** What a device is asked, and the one-time token that keeps the challenge until the device answers. */
export interface Ceremony<O> {
  options: O;
  token: string;
}

/** Starts to add a passkey to an account. */
export async function startPasskeyRegistration(
  deps: PasskeyDeps,
  { user_id, email, name }: { user_id: string; email: string; name: string },
): Promise<Ceremony<PublicKeyCredentialCreationOptionsJSON>> {
  const { generateRegistrationOptions } = await library();
  const known = await selectPasskeysOf(deps.db, user_id);
  const options = await generateRegistrationOptions({
    rpName: 'Paydesk',
    rpID: rpOf(deps.origin),
    userID: new Uint8Array(Buffer.from(user_id, 'utf8')),
    userName: email,
    userDisplayName: name,
    challenge: challengeOf(deps),
    attestationType: 'none',
    excludeCredentials: known.map(({ credential_id, transports }) => ({ id: credential_id, transports })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  });
  return { options, token: await keepChallenge(deps, 'passkey_new', user_id, options.challenge) };
}

/**
 * Checks the passkey that a device has made.
 *
 * @throws AppError `invalid_code` where the answer does not fit our challenge
 */
export async function checkNewPasskey(
  { db, clock, origin }: PasskeyDeps,
  user_id: string,
  token: string | null,
  response: RegistrationResponseJSON,
): Promise<Passkey> {
  const { verifyRegistrationResponse } = await library();
  const asked = token === null ? null : await takeOneTimeToken(db, token, 'passkey_new', clock.real());
  if (asked?.user_id !== user_id) throw new AppError('invalid_code');
  const expectedChallenge = String(asked.detail.challenge);
  const { verified, registrationInfo } = await refuseUnverified(
    verifyRegistrationResponse({
      response,
      expectedChallenge,
      expectedOrigin: origin,
      expectedRPID: rpOf(origin),
    }),
  );
  if (!verified) throw new AppError('invalid_code');
  const { id, publicKey, counter, transports = [] } = registrationInfo.credential;
  return {
    credential_id: id,
    user_id,
    public_key: Buffer.from(publicKey),
    counter: BigInt(counter),
    transports,
    created_at: clock.real(),
  };
}

/** Adds a checked passkey to its account. Throws `already_exists`. */
export async function savePasskey(tx: Tx, deps: FactorDeps, passkey: Passkey): Promise<void> {
  // As for an authenticator app: of a sign-in that still finds no factor, the session is older (D-1001).
  await lockPerson(tx, passkey.user_id);
  // A thief of the password may have made recovery codes before (D-1005).
  if ((await factorSince(tx, passkey.user_id)) === null) await replaceRecoveryCodes(tx, passkey.user_id, []);
  try {
    await insertPasskey(tx, { ...passkey, created_at: deps.clock.real() });
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    throw new AppError('already_exists');
  }
  await recordOwnAct(tx, deps, passkey.user_id, 'factor.add', { factor: 'passkey' });
}

/**
 * Starts a sign-in by passkey.
 *
 * @param user_id the person whose password was right: only their passkeys are accepted. Null without a password: any
 *   passkey is accepted
 */
export async function startPasskeyUse(
  deps: PasskeyDeps,
  user_id: string | null,
): Promise<Ceremony<PublicKeyCredentialRequestOptionsJSON>> {
  const { generateAuthenticationOptions } = await library();
  const mine = user_id === null ? [] : await selectPasskeysOf(deps.db, user_id);
  const options = await generateAuthenticationOptions({
    rpID: rpOf(deps.origin),
    challenge: challengeOf(deps),
    allowCredentials: mine.map(({ credential_id, transports }) => ({ id: credential_id, transports })),
    userVerification: 'required',
  });
  return { options, token: await keepChallenge(deps, 'passkey_use', user_id, options.challenge) };
}

/**
 * Checks the answer of a passkey. The device has verified its owner, so a passkey replaces password and code.
 *
 * @throws AppError `invalid_code`
 */
export async function usePasskey(
  deps: PasskeyDeps,
  token: string | null,
  response: AuthenticationResponseJSON,
): Promise<Passkey> {
  const { db, clock, origin } = deps;
  const { verifyAuthenticationResponse } = await library();
  const asked = token === null ? null : await takeOneTimeToken(db, token, 'passkey_use', clock.real());
  const passkey = asked === null || !isText(response.id) ? null : await selectPasskey(db, response.id);
  if (asked === null || passkey === null) throw new AppError('invalid_code');
  if (asked.user_id !== null && asked.user_id !== passkey.user_id) throw new AppError('invalid_code');
  const { verified, authenticationInfo } = await refuseUnverified(
    verifyAuthenticationResponse({
      response,
      expectedChallenge: String(asked.detail.challenge),
      expectedOrigin: origin,
      expectedRPID: rpOf(origin),
      credential: {
        id: passkey.credential_id,
        publicKey: new Uint8Array(passkey.public_key),
        counter: Number(passkey.counter),
        transports: passkey.transports,
      },
    }),
  );
  const counted =
    verified && (await advancePasskey(db, passkey.credential_id, BigInt(authenticationInfo.newCounter)));
  if (!counted) throw new AppError('invalid_code');
  return passkey;
}

/** Removes a passkey, and the recovery codes where it was the last factor. */
export async function removePasskey(
  tx: Tx,
  deps: FactorDeps,
  user_id: string,
  credential_id: string,
): Promise<void> {
  await deletePasskey(tx, user_id, credential_id);
  await recordOwnAct(tx, deps, user_id, 'factor.remove', { factor: 'passkey' });
  const others = (await selectPasskeysOf(tx, user_id)).length;
  if (others === 0 && (await selectTotp(tx, user_id))?.confirmed_at == null) {
    await replaceRecoveryCodes(tx, user_id, []);
  }
}

/** The answer comes from a browser: its type is not checked until the library has read it. */
const isText = (value: unknown): value is string => typeof value === 'string';

const challengeOf = ({ ids }: FactorDeps): Uint8Array<ArrayBuffer> =>
  new Uint8Array(Buffer.from(ids.secret(32), 'base64url'));

async function keepChallenge(
  { db, clock, ids }: FactorDeps,
  purpose: 'passkey_new' | 'passkey_use',
  user_id: string | null,
  challenge: string,
): Promise<string> {
  const token = ids.secret(32);
  const expires_at = later(clock.real(), ceremonyLife_ms);
  await insertOneTimeToken(db, token, { purpose, user_id, detail: { challenge }, expires_at });
  return token;
}

/** The library throws where an answer is malformed or does not fit the challenge: here that is a wrong code. */
async function refuseUnverified<T>(verification: Promise<T>): Promise<T> {
  try {
    return await verification;
  } catch (error) {
    const refusal = new AppError('invalid_code');
    refusal.cause = error;
    throw refusal;
  }
}
