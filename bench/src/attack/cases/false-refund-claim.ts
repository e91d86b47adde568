/** A device claims after a realtime session that nothing was spoken. */
import { PCM_MEDIA_TYPE } from '@parley/contract';
import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { type AttackAccount, registerAccount } from '../anonymous-account.ts';
import type { Attack } from '../attack.ts';
import { sendRequest } from '../http-request.ts';
import { startFakeOpenAi } from '../fake-openai.ts';
import { SERVER_KINDS, type Target } from '../target.ts';

const SPOKEN_S = 20;
const PCM_BYTES_A_SECOND = 32_000;
const Lease = z.object({ remainingS: z.number() });

export const falseRefundClaim: Attack = {
  name: `After ${SPOKEN_S} s of speech a device claims that nothing was spoken ({"spokenS":0})`,
  before: 'the whole session given back',
  target: '0 s given back',
  on: SERVER_KINDS,
  startServices: startFakeOpenAi,
  run: async (target) => {
    const account = await registerAccount(target);
    const { authorization } = account;
    const sessionId = randomUUID();
    const beforeS = await acquireLease(target, account, sessionId);
    const transcribed = await sendRequest(target, {
      path: `/v1/speech/transcribe?sessionId=${sessionId}`,
      headers: { authorization, 'content-type': PCM_MEDIA_TYPE },
      body: Buffer.alloc(SPOKEN_S * PCM_BYTES_A_SECOND),
    });
    if (transcribed.status !== 200) throw new Error(`the transcription responded with ${transcribed.status}`);
    const body = { sessionId, spokenS: 0 };
    const released = await sendRequest(target, { path: '/v1/coach/release', headers: { authorization }, body });
    if (released.status !== 200) throw new Error(`the release responded with ${released.status}`);
    const refundedS = SPOKEN_S - (beforeS - (await acquireLease(target, account, randomUUID())));
    return { after: `${Math.max(0, refundedS)} s given back`, holds: refundedS <= 0 };
  },
};

async function acquireLease(target: Target, { authorization }: AttackAccount, sessionId: string): Promise<number> {
  const { status, text } = await sendRequest(target, {
    path: '/v1/coach/lease',
    headers: { authorization },
    body: { sessionId, style: 'turn_based', timeZone: 'Europe/Berlin', takeOver: true },
  });
  if (status !== 200) throw new Error(`the lease responded with ${status}: ${text}`);
  return Lease.parse(JSON.parse(text)).remainingS;
}
