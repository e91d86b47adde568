/** Collects the e-mails that the server would send. */
import { randomUUID } from 'node:crypto';
import { DeviceCredentials } from '@parley/contract';
import type { AccountMail, EnqueueAccountMail } from '../src/account/index.ts';
import { type JsonResponse, createTestDevice, type TestDevice, type TestServer } from './server.ts';

export interface Mailbox {
  enqueue: EnqueueAccountMail;
  /** The mails to this address, the newest last. */
  to: (email: string) => AccountMail[];
  /** The code of the newest sign-in message to this address. */
  code: (email: string) => string;
  /** The secret of the newest link to this address. */
  link: (email: string) => string;
}

export function createMailbox(): Mailbox {
  const mails: AccountMail[] = [];
  const to = (email: string): AccountMail[] => mails.filter((letter) => letter.to === email);
  return {
    enqueue: async (_tx, letter) => void mails.push(letter),
    to,
    code: (email) => {
      const letter = to(email).findLast(({ kind }) => kind === 'sign_in');
      if (letter?.kind !== 'sign_in' || letter.data.code === null) throw new Error(`no code was sent to ${email}`);
      return letter.data.code;
    },
    link: (email) => {
      const letter = to(email).findLast(({ kind }) => kind !== 'goodbye');
      if (letter === undefined || letter.kind === 'goodbye') throw new Error(`no link was sent to ${email}`);
      return new URL(letter.data.link).searchParams.get('link') ?? '';
    },
  };
}

/** A request id that does not exist. */
const NO_REQUEST = 'A'.repeat(43);

/** Posts as an app does, sending the id of its request with each code. */
export function createSignInApp(server: () => TestServer): TestServer['post'] {
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

export const anEmail = (): string => `learner-${randomUUID()}@example.com`;

/** The description of a device that signs in. */
export const aDeviceToSignIn = (deviceId: string = randomUUID()) => ({
  deviceId,
  name: 'Laptop',
  platform: 'linux',
  timeZone: 'Europe/Berlin',
});

export interface SignInOptions {
  email: string;
  /** The device before it signs in; null for a device without a token. */
  as?: TestDevice | null;
  deviceId?: string;
}

/** Requests a code and signs in with it. */
export async function requestAndSignIn(
  server: TestServer,
  mailbox: Mailbox,
  { email, as = null, deviceId }: SignInOptions,
): Promise<JsonResponse> {
  const post = createSignInApp(() => server);
  await post('/v1/account/request-sign-in', { email });
  const body = { ...aDeviceToSignIn(deviceId), email, code: mailbox.code(email) };
  return post('/v1/account/sign-in', body, as?.token);
}

export async function signInDevice(
  server: TestServer,
  mailbox: Mailbox,
  signing: SignInOptions,
): Promise<TestDevice & { isSameAccount: boolean }> {
  const { status, body } = await requestAndSignIn(server, mailbox, signing);
  if (status !== 200) throw new Error(`sign-in: ${status} ${JSON.stringify(body)}`);
  const device = createTestDevice(server, DeviceCredentials.parse(body['credentials']));
  return { ...device, isSameAccount: body['isSameAccount'] === true };
}
