/** Asks for the first byte of a video, to find out whether it can be played, and if not, why. */
import { ORPCError } from '@orpc/client';
import { isErrorCode, videoFileAddress } from '@parley/contract';
import { z } from 'zod';

const Refusal = z.object({ code: z.string().refine(isErrorCode) });

/** Throws an `ORPCError` with one of the contract's codes. */
export async function requestVideoFile(videoId: string, signal: AbortSignal): Promise<true> {
  const response = await fetch(videoFileAddress(videoId), { headers: { range: 'bytes=0-0' }, signal });
  if (response.ok) {
    await response.body?.cancel();
    return true;
  }
  const { data } = Refusal.safeParse(await response.json().catch(() => null));
  throw new ORPCError(data?.code ?? 'internal', { status: response.status });
}
