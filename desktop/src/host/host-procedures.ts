/** The base of all contract procedures: what they know about their caller, and how their bugs are reported. */
import { implement, type ImplementerInternalWithMiddlewares } from '@orpc/server';
import { desktopContract } from '@parley/contract';
import { isContractError, toHostFailure, unwrapOrThrow } from './error-policy.ts';
import type { Logger } from './logger.ts';

/** What the shell knows about the calling window. */
export interface HostContext {
  /** Aborts when the window's connection is lost because the window was closed, was reloaded or crashed. */
  windowClosed?: AbortSignal;
}

/** The signal for transports that cannot cancel a call. */
export const NEVER_ABORTED: AbortSignal = new AbortController().signal;

export type HostProcedures = ImplementerInternalWithMiddlewares<typeof desktopContract, HostContext, HostContext>;

export const createHostProcedures = (parts: { logger: Logger; newId: () => string }): HostProcedures =>
  implement(desktopContract)
    .$context<HostContext>()
    .use(async ({ next, errors }) => {
      try {
        return await next();
      } catch (error) {
        if (isContractError(error)) throw error;
        return unwrapOrThrow(errors, { ok: false, error: toHostFailure(error, parts) });
      }
    });
