/** Everybody's e-mails: what the server writes to learners, kept instead of sent. */
import { randomUUID } from 'node:crypto';
import { DeviceCredentials } from '@parley/contract';
import type { AccountMail, EnqueueMail } from '../account/index.ts';
import { type Answer, speakFor, type TestDevice, type TestServer } from './server.ts';

export interface Mailbox {
  enqueue: EnqueueMail;
  /** To this address, the newest last. */
  to: (email: string) => AccountMail[];
  /** Of the newest message with a code to this address. */
  code: (email: string) => string;
  /** The secret of the newest link to this address. */
  link: (email: string) => string;
}

export function openMailbox(): Mailbox {
  const letters: AccountMail[] = [];
  const to = (email: string): AccountMail[] => letters.filter((letter) => letter.to === email);
  return {
    enqueue: async (_tx, letter) => void letters.push(letter),
    to,
    code: (email) => {
      const letter = to(email).findLast(({ kind }) => kind === 'sign_in');
      if (letter?.kind !== 'sign_in' || letter.data.code === null) throw new Error(`no code went to ${email}`);
      return letter.data.code;
    },
    link: (email) => {
      const letter = to(email).findLast(({ kind }) => kind !== 'goodbye');
      if (letter === undefined || letter.kind === 'goodbye') throw new Error(`no link went to ${email}`);
      return new URL(letter.data.link).searchParams.get('link') ?? '';
    },
  };
}

/** Of a request that was never made. */
const NO_REQUEST = 'A'.repeat(43);

/** As an app asks for messages and types their codes: it names its request with each. */
export function signingApp(server: () => TestServer): TestServer['post'] {
  const requestIds = new Map<string, unknown>();
  return async (url, body, token) => {
    const sent = { ...(body as Record<string, unknown>) };
    const email = String(sent['email']).trim().toLowerCase();
    const isGuess = url.endsWith('/sign-in');
    const requestId = requestIds.get(email) ?? (isGuess ? NO_REQUEST : undefined);
    const answer = await server().post(url, { ...sent, ...(requestId === undefined ? {} : { requestId }) }, token);
    if (url.endsWith('/request-sign-in') && answer.status === 200) requestIds.set(email, answer.body['requestId']);
    return answer;
  };
}

export const anAddress = (): string => `learner-${randomUUID()}@example.com`;

/** As a device names itself when it signs in. */
export const aSigningDevice = (deviceId: string = randomUUID()) => ({
  deviceId,
  name: 'Laptop',
  platform: 'linux',
  timeZone: 'Europe/Berlin',
});

export interface SigningIn {
  email: string;
  /** The device as it was before; null: one that has no token. */
  as?: TestDevice | null;
  deviceId?: string;
}

/** Asks for a code, and types it. */
export async function answerOfSignIn(
  server: TestServer,
  mailbox: Mailbox,
  { email, as = null, deviceId }: SigningIn,
): Promise<Answer> {
  const post = signingApp(() => server);
  await post('/v1/account/request-sign-in', { email });
  const body = { ...aSigningDevice(deviceId), email, code: mailbox.code(email) };
  return post('/v1/account/sign-in', body, as?.token);
}

export async function signInDevice(
  server: TestServer,
  mailbox: Mailbox,
  signing: SigningIn,
): Promise<TestDevice & { isSameAccount: boolean }> {
  const { status, body } = await answerOfSignIn(server, mailbox, signing);
  if (status !== 200) throw new Error(`sign-in: ${status} ${JSON.stringify(body)}`);
  const device = speakFor(server, DeviceCredentials.parse(body['credentials']));
  return { ...device, isSameAccount: body['isSameAccount'] === true };
}
