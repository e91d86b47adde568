/** Reads the contract's error from a response that was sent before the contract's router saw the request. */
import { ORPCError } from '@orpc/client';
import { ERROR_STATUS_BY_CODE, ErrorData, isErrorCode } from '@parley/contract';
import { z } from 'zod';

const Refusal = z.object({ body: z.object({ code: z.string(), data: ErrorData.optional() }) });

/** Returns anything else unchanged. */
export function toContractError(error: unknown): unknown {
  if (!(error instanceof ORPCError) || isErrorCode(error.code)) return error;
  const refusal = Refusal.safeParse(error.data);
  if (!refusal.success || !isErrorCode(refusal.data.body.code)) return error;
  const { code, data } = refusal.data.body;
  return new ORPCError(code, { status: ERROR_STATUS_BY_CODE[code], message: code, data });
}
