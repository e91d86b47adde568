/** The data of an expected failure, and the failures in the form in which a contract declares them. */
import { z } from 'zod';
import { ERROR_STATUS_BY_CODE, type ErrorCode } from './errors.ts';

/** Data that accompanies a code. The text is chosen where the error is shown. */
export const ErrorData = z.object({
  field: z.string().optional(),
  detail: z.string().optional(),
  /** When an exhausted allowance resets. */
  resetsAt: z.iso.datetime().optional(),
  /** With `auth.device_revoked`: the key that the device gave the server, which orders it to delete the account's data. */
  wipeKey: z.string().optional(),
});
export type ErrorData = z.infer<typeof ErrorData>;

type ErrorMap = {
  [Code in ErrorCode]: { status: (typeof ERROR_STATUS_BY_CODE)[Code]; data: z.ZodOptional<typeof ErrorData> };
};

/** The same codes in the form in which a contract declares them. */
export const contractErrors: ErrorMap = Object.fromEntries(
  Object.entries(ERROR_STATUS_BY_CODE).map(([code, status]) => [code, { status, data: ErrorData.optional() }]),
) as ErrorMap;
