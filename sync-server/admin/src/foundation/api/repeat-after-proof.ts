/** Repeats a call once the user has proved their identity, as often as the server demands another proof. */
import { toContractError } from './contract-error.ts';
import { type Identity, identityNeedOf } from './identity.ts';

interface Call {
  path: readonly string[];
  next: () => Promise<unknown>;
}

/** Returns an interceptor for the oRPC link of the panel. */
export const repeatAfterProof =
  (identity: Identity) =>
  async ({ next, path }: Call): Promise<unknown> => {
    for (;;) {
      try {
        return await next();
      } catch (failure) {
        const error = toContractError(failure);
        const need = identityNeedOf(error);
        // The calls that prove the user's identity must fail, because their dialog shows why.
        if (need === null || path[0] === 'web' || path[1] === 'prove') throw error;
        // Saving a setting must not open the authenticator setup on top of the form.
        if (need === 'set_up' && path[1] === 'saveSettings') throw error;
        if (!(await identity.obtain(need))) throw error;
      }
    }
  };
