import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { isoCBOR } from '@simplewebauthn/server/helpers';

const sha256 = (data: string | Buffer): Buffer => createHash('sha256').update(data).digest();

/** The members of the server's question that the tests read. */
export interface Question {
  challenge: string;
  rp?: { id: string };
  rpId?: string;
  user?: { id: string };
}

/** The errors that a device can make. */
export interface Lies {
  origin?: string;
  rp_id?: string;
  challenge?: string;
  type?: string;
  /** Whether the device has made sure of its owner. */
  verified?: boolean;
  counter?: number;
}

/** A device with one passkey, in software. It gives valid or invalid answers, as the test wants. */
export interface Authenticator {
  credential_id: string;
  /** Makes the passkey, as `navigator.credentials.create` would. */
  create(question: Question, lies?: Lies): unknown;
  /** Uses it, as `navigator.credentials.get` would; counts each use. */
  use(question: Question, lies?: Lies): unknown;
}

/** @param origin the origin that the browser reports */
export function softwareAuthenticator(origin: string): Authenticator {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
  const id = randomBytes(16);
  const credential_id = id.toString('base64url');
  let uses = 0;

  const clientData = (type: string, { challenge }: Question, lies: Lies): Buffer =>
    Buffer.from(
      JSON.stringify({
        type: lies.type ?? type,
        challenge: lies.challenge ?? challenge,
        origin: lies.origin ?? origin,
        crossOrigin: false,
      }),
    );

  /** The relying party, the verified facts, and the counter. */
  function authenticatorData({ rp, rpId }: Question, lies: Lies, attested: Buffer): Buffer {
    const flags = 0x01 | (lies.verified === false ? 0 : 0x04) | (attested.length > 0 ? 0x40 : 0);
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(lies.counter ?? uses);
    return Buffer.concat([
      sha256(lies.rp_id ?? rp?.id ?? rpId ?? ''),
      Buffer.from([flags]),
      counter,
      attested,
    ]);
  }

  const answer = (response: Record<string, string>): unknown => ({
    ...{ id: credential_id, rawId: credential_id, type: 'public-key' },
    clientExtensionResults: {},
    response,
  });

  return {
    credential_id,
    create(question, lies = {}) {
      const cose = new Map<number, number | Uint8Array<ArrayBuffer>>([
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, new Uint8Array(Buffer.from(x, 'base64url'))],
        [-3, new Uint8Array(Buffer.from(y, 'base64url'))],
      ]);
      const length = Buffer.from([0, id.length]);
      const attested = Buffer.concat([Buffer.alloc(16), length, id, isoCBOR.encode(cose)]);
      const authData = new Uint8Array(authenticatorData(question, lies, attested));
      const attestation = new Map<string, string | Map<string, string> | Uint8Array<ArrayBuffer>>([
        ['fmt', 'none'],
        ['attStmt', new Map()],
        ['authData', authData],
      ]);
      return answer({
        clientDataJSON: clientData('webauthn.create', question, lies).toString('base64url'),
        attestationObject: Buffer.from(isoCBOR.encode(attestation)).toString('base64url'),
      });
    },
    use(question, lies = {}) {
      uses += 1;
      const data = clientData('webauthn.get', question, lies);
      const authData = authenticatorData(question, lies, Buffer.alloc(0));
      const signature = sign('sha256', Buffer.concat([authData, sha256(data)]), privateKey);
      return answer({
        clientDataJSON: data.toString('base64url'),
        authenticatorData: authData.toString('base64url'),
        signature: signature.toString('base64url'),
      });
    },
  };
}
