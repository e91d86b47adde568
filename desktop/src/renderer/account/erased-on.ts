/** The server keeps nothing of an account that it erased: its day, and that this device was sent away, tell it. */
interface LastHeard {
  /** When it was to be erased; null: it was not. */
  eraseAt: string | null;
  isSignedOut: boolean;
}

/** When the account that this device was in was erased; null: it was not. */
export const erasedOn = ({ eraseAt, isSignedOut }: LastHeard, now: Date): string | null =>
  isSignedOut && eraseAt !== null && Date.parse(eraseAt) <= now.getTime() ? eraseAt : null;
