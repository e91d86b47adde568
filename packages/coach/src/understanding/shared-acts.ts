/** What every practice shares: things said back to the coach, and sentences that belong to no scene. */
export interface SharedActs {
  /** By act: what the coach answers, and how it is said. */
  asks: Readonly<Record<string, { replies: readonly string[]; examples: readonly string[] }>>;
  off: readonly string[];
}
