/**
 * Asks the user to prove their identity when the server demands it. The call waits for the proof and is then repeated,
 * so that an expired session or a sensitive action never loses what was typed.
 */
import { ORPCError } from '@orpc/client';

/**
 * `proof`: a code from an e-mail, because the action is sensitive. `second_factor`: a code from the authenticator app.
 * `set_up`: the school requires an authenticator app, and this admin has none.
 */
export type IdentityNeed = 'sign_in' | 'proof' | 'second_factor' | 'set_up';

export interface Identity {
  /** The proof that is currently required; null when none is. */
  readNeed: () => IdentityNeed | null;
  subscribe: (listener: () => void) => () => void;
  /**
   * Resolves to true once the user has proved their identity, and to false when they cancel. Concurrent calls share one
   * proof.
   */
  obtain: (need: IdentityNeed) => Promise<boolean>;
  settle: (isProved: boolean) => void;
}

export function createIdentity(): Identity {
  let need: IdentityNeed | null = null;
  let waiting: PromiseWithResolvers<boolean> | null = null;
  const listeners = new Set<() => void>();
  const setNeed = (next: IdentityNeed | null): void => {
    need = next;
    for (const listener of listeners) listener();
  };
  return {
    readNeed: () => need,
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    obtain: (wanted) => {
      waiting ??= Promise.withResolvers<boolean>();
      // Signing in is a proof too, so it replaces a demand for one.
      if (need !== 'sign_in') setNeed(wanted);
      return waiting.promise;
    },
    settle: (isProved) => {
      const settled = waiting;
      waiting = null;
      setNeed(null);
      settled?.resolve(isProved);
    },
  };
}

export function identityNeedOf(error: unknown): IdentityNeed | null {
  if (!(error instanceof ORPCError)) return null;
  if (error.code === 'auth.required') return 'sign_in';
  if (error.code === 'auth.confirmation_required') return 'proof';
  if (error.code !== 'auth.second_factor_required') return null;
  return (error.data as { detail?: string } | undefined)?.detail === 'enter' ? 'second_factor' : 'set_up';
}
