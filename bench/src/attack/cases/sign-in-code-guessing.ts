/** An attacker who knows an e-mail address requests sign-in codes for it and guesses them. */
import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { Attack } from '../attack.ts';
import { sendRequest } from '../http-request.ts';
import { waitForMail } from '../mail-outbox.ts';
import { SERVER_KINDS, type Target } from '../target.ts';

const REQUESTS = 3;
const GUESSES_EACH = 5;
const EMAIL = 'owner@parley.example';
const SignInRequested = z.object({ requestId: z.string() });

export const signInCodeGuessing: Attack = {
  name: `${REQUESTS} requests for a code and ${REQUESTS * GUESSES_EACH} wrong guesses by an attacker who knows an address`,
  before: '3 codes valid at once, the owner locked out',
  target: '0 codes of another request valid, the owner signs in',
  on: SERVER_KINDS,
  environment: { TRUST_PROXY: '127.0.0.1' },
  run: async (target) => {
    const owner = await requestCode(target, '198.51.100.7');
    const attackerRequests = [];
    for (let request = 0; request < REQUESTS; request += 1) {
      const stranger = await requestCode(target, '203.0.113.66');
      attackerRequests.push(stranger);
      for (let guess = 1; guess <= GUESSES_EACH; guess += 1) await stranger.submitCode(wrongCode(stranger.code, guess));
    }
    let valid = 0;
    for (const stranger of attackerRequests) {
      if (stranger.code === owner.code) throw new Error('two codes are the same by chance: run it again');
      // Another address avoids the rate limit, so that only the code decides.
      if ((await stranger.submitCode(owner.code, '203.0.113.67')) === 200) valid += 1;
    }
    const status = await owner.submitCode(owner.code);
    return {
      after: `${valid} codes of another request valid, the owner ${status === 200 ? 'signs in' : `is answered ${status}`}`,
      holds: valid === 0 && status === 200,
    };
  },
};

async function requestCode(target: Target, address: string) {
  let requestId = '';
  const { code } = await waitForMail(target, async () => {
    const { text } = await sendRequest(target, {
      path: '/v1/account/request-sign-in',
      headers: { 'x-forwarded-for': address },
      body: { email: EMAIL },
    });
    ({ requestId } = SignInRequested.parse(JSON.parse(text)));
  });
  if (code === null) throw new Error('the e-mail has no code');
  return {
    code,
    submitCode: async (typed: string, fromAddress = address): Promise<number> => {
      const device = { deviceId: randomUUID(), name: 'Attack', platform: 'other', timeZone: 'UTC' };
      const body = { ...device, email: EMAIL, code: typed, requestId };
      const answer = await sendRequest(target, {
        path: '/v1/account/sign-in',
        headers: { 'x-forwarded-for': fromAddress },
        body,
      });
      return answer.status;
    },
  };
}

const wrongCode = (code: string, by: number): string => String((Number(code) + by) % 1_000_000).padStart(6, '0');
