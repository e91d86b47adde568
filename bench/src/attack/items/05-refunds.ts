/** A device that says, after a live conversation, that nothing was spoken. */
import { PCM_MEDIA_TYPE } from '@parley/contract';
import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { type AttackAccount, openAccount } from '../account.ts';
import type { Attack } from '../attack.ts';
import { call } from '../call.ts';
import { startOpenAi } from '../open-ai.ts';
import { SERVER_KINDS, type Target } from '../target.ts';

const SPOKEN_S = 20;
const PCM_BYTES_A_SECOND = 32_000;
const Lease = z.object({ remainingS: z.number() });

export const refunds: Attack = {
  name: `After ${SPOKEN_S} s of live conversation a device claims that nothing was spoken ({"spokenS":0})`,
  before: 'the whole session given back',
  target: '0 s given back',
  on: SERVER_KINDS,
  startServices: startOpenAi,
  run: async (target) => {
    const account = await openAccount(target);
    const { authorization } = account;
    const sessionId = randomUUID();
    const beforeS = await lease(target, account, sessionId);
    const transcribed = await call(target, {
      path: `/v1/speech/transcribe?sessionId=${sessionId}`,
      headers: { authorization, 'content-type': PCM_MEDIA_TYPE },
      body: Buffer.alloc(SPOKEN_S * PCM_BYTES_A_SECOND),
    });
    if (transcribed.status !== 200) throw new Error(`transcription was answered ${transcribed.status}`);
    const body = { sessionId, spokenS: 0 };
    const released = await call(target, { path: '/v1/coach/release', headers: { authorization }, body });
    if (released.status !== 200) throw new Error(`the release was answered ${released.status}`);
    const givenBackS = SPOKEN_S - (beforeS - (await lease(target, account, randomUUID())));
    return { after: `${Math.max(0, givenBackS)} s given back`, holds: givenBackS <= 0 };
  },
};

async function lease(target: Target, { authorization }: AttackAccount, sessionId: string): Promise<number> {
  const { status, text } = await call(target, {
    path: '/v1/coach/lease',
    headers: { authorization },
    body: { sessionId, style: 'turn_based', timeZone: 'Europe/Berlin', takeOver: true },
  });
  if (status !== 200) throw new Error(`the lease was answered ${status}: ${text}`);
  return Lease.parse(JSON.parse(text)).remainingS;
}
