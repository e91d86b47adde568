/** One-time tokens, each of which admits one browser. */
import { hashSecret } from './window-access.ts';

export interface TokenOptions {
  /** Without a lifetime, the token is valid until it is used. */
  lifetimeMs?: number;
  /** Called once, when the token has been used, has expired or is withdrawn. */
  onGone?: () => void;
}

export interface OneTimeTokens {
  add(token: string, life?: TokenOptions): void;
  /** Returns whether the token was valid, and invalidates it. */
  consume(token: string): boolean;
  revokeAll(): void;
}

export function createOneTimeTokens(): OneTimeTokens {
  /** Keys are fingerprints, so that lookup time reveals nothing about a token. */
  const revokeByFingerprint = new Map<string, () => void>();
  return {
    add(token, { lifetimeMs, onGone } = {}) {
      const fingerprint = hashSecret(token);
      const revoke = (): void => {
        clearTimeout(expiry);
        if (revokeByFingerprint.delete(fingerprint)) onGone?.();
      };
      const expiry = lifetimeMs === undefined ? undefined : setTimeout(revoke, lifetimeMs).unref();
      revokeByFingerprint.set(fingerprint, revoke);
    },
    consume(token) {
      const withdraw = revokeByFingerprint.get(hashSecret(token));
      withdraw?.();
      return withdraw !== undefined;
    },
    revokeAll() {
      for (const withdraw of revokeByFingerprint.values()) withdraw();
    },
  };
}
