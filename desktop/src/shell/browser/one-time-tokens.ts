/** Tokens that let one browser in, once. */
import { fingerprintOf } from './access.ts';

export interface TokenLife {
  /** Left out: until it is used. */
  lifetimeMs?: number;
  /** Called once, when the token was used or has expired, or all were withdrawn. */
  onGone?: () => void;
}

export interface OneTimeTokens {
  add(token: string, life?: TokenLife): void;
  /** Whether it was still good; after that it never is again. */
  use(token: string): boolean;
  withdrawAll(): void;
}

export function createOneTimeTokens(): OneTimeTokens {
  /** By fingerprint: how long a look-up takes says nothing about a token. */
  const withdrawByFingerprint = new Map<string, () => void>();
  return {
    add(token, { lifetimeMs, onGone } = {}) {
      const fingerprint = fingerprintOf(token);
      const withdraw = (): void => {
        clearTimeout(expiry);
        if (withdrawByFingerprint.delete(fingerprint)) onGone?.();
      };
      const expiry = lifetimeMs === undefined ? undefined : setTimeout(withdraw, lifetimeMs).unref();
      withdrawByFingerprint.set(fingerprint, withdraw);
    },
    use(token) {
      const withdraw = withdrawByFingerprint.get(fingerprintOf(token));
      withdraw?.();
      return withdraw !== undefined;
    },
    withdrawAll() {
      for (const withdraw of withdrawByFingerprint.values()) withdraw();
    },
  };
}
