/** A stranger who knows an address asks for codes in its name, and guesses. */
import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { Attack } from '../attack.ts';
import { call } from '../call.ts';
import { mailAfter } from '../outbox.ts';
import { SERVER_KINDS, type Target } from '../target.ts';

const REQUESTS = 3;
const GUESSES_EACH = 5;
const EMAIL = 'owner@parley.example';
const Asked = z.object({ requestId: z.string() });

export const strangersCodes: Attack = {
  name: `${REQUESTS} requests for a code and ${REQUESTS * GUESSES_EACH} wrong guesses by a stranger who knows an address`,
  before: '3 codes valid at once, the owner locked out',
  target: '0 codes of another request valid, the owner signs in',
  on: SERVER_KINDS,
  environment: { TRUST_PROXY: '127.0.0.1' },
  run: async (target) => {
    const owner = await requestCode(target, '198.51.100.7');
    const strangers = [];
    for (let request = 0; request < REQUESTS; request += 1) {
      const stranger = await requestCode(target, '203.0.113.66');
      strangers.push(stranger);
      for (let guess = 1; guess <= GUESSES_EACH; guess += 1) await stranger.type(wrongCode(stranger.code, guess));
    }
    let valid = 0;
    for (const stranger of strangers) {
      if (stranger.code === owner.code) throw new Error('two codes are the same by chance: run it again');
      // From a network of its own, so that what decides is the code and not the limit of an address.
      if ((await stranger.type(owner.code, '203.0.113.67')) === 200) valid += 1;
    }
    const status = await owner.type(owner.code);
    return {
      after: `${valid} codes of another request valid, the owner ${status === 200 ? 'signs in' : `is answered ${status}`}`,
      holds: valid === 0 && status === 200,
    };
  },
};

async function requestCode(target: Target, address: string) {
  let requestId = '';
  const { code } = await mailAfter(target, async () => {
    const { text } = await call(target, {
      path: '/v1/account/request-sign-in',
      headers: { 'x-forwarded-for': address },
      body: { email: EMAIL },
    });
    ({ requestId } = Asked.parse(JSON.parse(text)));
  });
  if (code === null) throw new Error('the e-mail has no code');
  return {
    code,
    type: async (typed: string, as = address): Promise<number> => {
      const device = { deviceId: randomUUID(), name: 'Attack', platform: 'other', timeZone: 'UTC' };
      const body = { ...device, email: EMAIL, code: typed, requestId };
      const answer = await call(target, {
        path: '/v1/account/sign-in',
        headers: { 'x-forwarded-for': as },
        body,
      });
      return answer.status;
    },
  };
}

const wrongCode = (code: string, by: number): string => String((Number(code) + by) % 1_000_000).padStart(6, '0');
